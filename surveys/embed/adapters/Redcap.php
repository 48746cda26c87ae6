<?php
/**
 * Put a frame into a REDCap survey: the class of an external module. Not yet run inside REDCap; written from its
 * documentation of hooks.
 *
 * The instrument has a text field called protected, which holds the frame's line of text. form.js lies beside
 * this file. Write the frame's address here:
 */
namespace Sottovoce\SottovoceFrame;

class SottovoceFrame extends \ExternalModules\AbstractExternalModule
{
    private const ADDRESS = 'https://sottovoce.uni.example/DIGEST/';
    private const FIELD = '[name="protected"]';

    public function redcap_survey_page($project_id)
    {
        printf(
            '<div data-sottovoce="%s" data-fills="%s"></div><script src="%s" defer></script>',
            htmlspecialchars(self::ADDRESS),
            htmlspecialchars(self::FIELD),
            htmlspecialchars($this->getUrl('form.js', true))
        );
    }
}
