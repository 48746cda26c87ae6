"""Refusals of channels: ranges, areas, windows, levels, scores."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "answer.date": ("%(value)r is not a date of this form", "write it like %(example)s"),
    "answer.decimals": ("%(text)s has too many decimals", "use at most %(decimals)s decimals"),
    "answer.number": ("%(value)r is not a number", "write it in digits"),
    "answer.outside": ("%(text)s is outside %(low)s to %(high)s", "use a number inside this range"),
    "antimeridian": (
        _("the west edge %(west)s is not west of the east edge %(east)s"),
        _("put the western edge first; an area cannot cross the antimeridian (180 degrees)"),
    ),
    "area.latitudes": (
        _("the south edge %(south)s is not south of the north edge %(north)s"),
        _("put the southern edge first"),
    ),
    "column_sum.column": ("column %(true)s sums to %(value)s", "make every column sum to 1"),
    "cyclic": (
        "a circular window of %(value)s bins over %(inputs)s bins sends different shares with "
        "the same distribution",
        "use a window that has no divisor in common with the number of bins",
    ),
    "disguise.amplification": (
        _("an amplification of %(value)s/%(denominator)s carries no information"),
        _("choose epsilon > 0"),
    ),
    "disguise.area": (_("area = %(value)r"), _("pass an Area")),
    "disguise.coin": (_("the coin weighs less than one of its sides"), _("make lean + step x <= coin")),
    "disguise.constant": (_("the report does not depend on the answer"), _("add a peak or a step")),
    "disguise.levels": (_("%(count)s levels"), _("pass 1 to %(most)s PlanarLevel objects")),
    "disguise.no_window": (_("weights need a window"), _("use a window of 1 or more")),
    "disguise.range": (_("range = %(value)r"), _("pass a NumberRange")),
    "frame.fraction": (
        "frame %(value)s is not a whole number of windows",
        "make the tiles fill the frame exactly",
    ),
    "frame.outside": (
        "frame %(value)s extends beyond the sensitive cells",
        "keep frames inside the sensitive cells",
    ),
    "frame.pair": ("tiles %(value)r", "give the number of tiles across and the number up"),
    "frame.tiles": (
        "%(count)s numbers of tiles for %(rectangles)s rectangles",
        "give one pair for each rectangle, no frames, and snap",
    ),
    "frame.window": (
        "a window of %(across)s x %(up)s cells does not fit a frame of %(width)s x %(height)s",
        "keep the window inside its frame",
    ),
    "frame.windows": (
        "windows of %(value)s cells",
        "give all windows the same number of cells; otherwise epsilon is exceeded",
    ),
    "latitude": (
        _("the area extends from latitude %(south)s to %(north)s"),
        _("stay within 80 degrees of the equator: a flat map is too inaccurate beyond that"),
    ),
    "no_rectangle.level": (
        _("sensitivity level %(value)s has no rectangle"),
        _("mark at least one rectangle for this level, or remove the level"),
    ),
    "no_rectangle.map": (
        _("no rectangle is marked as sensitive"),
        _("mark at least one rectangle, or protect the whole map"),
    ),
    "no_score.channel": (
        "the channel misses the requested mean by %(value).2g: it cannot distinguish these values",
        "ask for a larger part, or read it from the reconstructed distribution",
    ),
    "out_of_range.chance": ("entry %(value)s is not a probability", "use entries in [0, 1]"),
    "overlap.level": (
        _("level %(value)s shares a cell with an earlier one"),
        _("assign each cell to one level only"),
    ),
    "overlap.levels": (_("two levels share a cell"), _("assign each cell to one level only")),
    "overlap.rectangles": (
        _("rectangles %(first)s and %(second)s overlap"),
        _("redraw them as rectangles that do not overlap"),
    ),
    "prior.weights": ("weights of shape %(value)s", "give %(inputs)s weights of 0 or more"),
    "range.bin": (
        _("bins of %(value)s do not divide %(ticks)s different numbers evenly"),
        _("end the range at %(end)s, or choose another bin width"),
    ),
    "range.bins": (_("%(value)s bins"), _("choose a bin width that gives 2 to %(most)s bins")),
    "range.ends": (_("%(low)s to %(value)s is not a range"), _("make the end larger than the start")),
    "rectangle.entries": (_("%(value)r has %(entries)s entries"), _("use %(count)s whole numbers of cells")),
    "rectangle.grid": (
        _("rectangle %(value)r extends beyond the grid of %(columns)s x %(rows)s cells"),
        _("keep it inside the area"),
    ),
    "rectangle.small": (
        _("rectangle %(value)r is smaller than a cell"),
        _("make it larger, or use smaller cells"),
    ),
    "refusal.alike": (
        _(
            "%(value)s always sends something that depends on the answer, so it cannot hide "
            "that a question was skipped"
        ),
        _("choose another mechanism, or do not let respondents skip the question"),
    ),
    "refusal_low": (
        _(
            "skip probability %(value)s is below %(least)s: under %(mechanism)s, a skip would "
            "reveal more than an answer does"
        ),
        _("use at least %(least)s"),
    ),
    "regions.empty": (_("a region has no rectangle"), _("add at least one")),
    "regions.overlap": (
        _("two rectangles of the regions overlap"),
        _("redraw them so that they share no cell"),
    ),
    "says_nothing.map": (
        _("the same is sent for every place on the map, so the answers would carry no information"),
        _("use a window or tiles smaller than the map, or remove the question"),
    ),
    "shape.matrix": ("rows of lengths %(value)s do not form a matrix", "make all rows equally long"),
    "spans.overlap": (
        _("bins %(first)s to %(last)s are empty or overlap another item"),
        _("use items that have no bin in common"),
    ),
    "spans.pair": (_("span %(value)r is not a pair"), _("give the first and the last bin")),
    "tile": ("tiles of %(value)s cells", "choose other side lengths"),
    "too_large.area": (
        _("the area has %(value)s cells"),
        _("choose a cell size that gives 2 to %(most)s cells"),
    ),
    "too_large.fractions": (
        _("the channel would have %(value)s x %(inputs)s fractions"),
        _("use as_array instead"),
    ),
    "too_large.level": (_("%(value)s %(name)s"), _("use 1 to %(most)s")),
    "too_large.planar_channel": (
        _("the channel would cover %(value)s cells"),
        _("use the kernel of privacy.scales.planar_window, which needs no matrix"),
    ),
    "too_large.planar_weights": (
        _("the product of the weights has %(value)s bits"),
        _("use fewer levels, smaller weights or fewer tile sizes: at most %(most)s bits"),
    ),
    "too_large.scores": (
        _("the channel would be %(rows)s x %(columns)s"),
        _("use wider bins or larger cells, or read the share from the reconstructed distribution"),
    ),
    "too_large.weights": (_("the sum of the weights has %(bits)s bits"), _("use at most %(most)s bits")),
    "too_large.window": (
        _("a window of %(value)s does not fit %(inputs)s bins"),
        _("keep it inside the grid, and the grid below %(most)s outputs"),
    ),
    "too_small.window": (
        "no window fits into the sensitive cells",
        "choose a smaller window, or larger rectangles",
    ),
}
