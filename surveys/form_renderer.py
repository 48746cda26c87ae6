"""Renders forms with the templates of this project."""

from django.forms.renderers import TemplatesSetting


class FormRenderer(TemplatesSetting):
    """Render forms and their fields with the project's templates."""

    form_template_name = "partials/form.html"
    field_template_name = "partials/field.html"
