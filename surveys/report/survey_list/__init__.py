"""The list of surveys and the page of one survey, where a run is requested."""
