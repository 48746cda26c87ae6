<?php
/**
 * Put a frame into a REDCap survey, as the class of an external module. Written from REDCap's documentation of
 * hooks, and not yet run inside REDCap.
 *
 * The instrument needs a text field called protected, which stores the frame's line of text. Put form.js into the
 * same folder as this file. Write the frame's address here:
 */
namespace Sottovoce\SottovoceFrame;

class SottovoceFrame extends \ExternalModules\AbstractExternalModule
{
    private const ADDRESS = 'https://sottovoce.uni.example/DIGEST/';
    private const FIELD = '[name="protected"]';
    private const TAKES_TURNS = false;

    public function redcap_survey_page($project_id, $record = null)
    {
        // If the parts of a series take turns, the record's name decides: it has to be the same in all its surveys.
        $person = self::TAKES_TURNS ? sprintf(' data-person="%s"', htmlspecialchars((string) $record)) : '';
        printf(
            '<div data-sottovoce="%s" data-fills="%s"%s></div><script src="%s" defer></script>',
            htmlspecialchars(self::ADDRESS),
            htmlspecialchars(self::FIELD),
            $person,
            htmlspecialchars($this->getUrl('form.js', true))
        );
    }
}
