"""Forms are rendered with this project's templates."""

from django import forms
from django.conf import settings


class Named(forms.Form):
    """A form with one field."""

    name = forms.CharField(label="Your name", help_text="As others see it")


def test_a_form_and_its_fields_use_the_templates_of_the_settings() -> None:
    assert settings.FORM_RENDERER == "surveys.form_renderer.FormRenderer"
    form = Named()
    assert form.template_name == "partials/form.html"
    assert form["name"].template_name == "partials/field.html"
    # In these templates the note follows the control, and names it.
    assert '<div class="hint" id="id_name_helptext">As others see it</div>' in str(form)
