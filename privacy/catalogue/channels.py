"""Refusals of channels: ranges, areas, windows, levels, scores."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "answer.date": ("%(value)r is no such date", "write one like %(example)s"),
    "answer.decimals": ("%(text)s is too fine", "write at most %(decimals)s decimals"),
    "answer.number": ("%(value)r is no number", "write digits"),
    "answer.outside": ("%(text)s is outside %(low)s to %(high)s", "write a number inside"),
    "antimeridian": (
        _("the west edge %(west)s is not west of the east edge %(east)s"),
        _("give the western edge first, and no area across the antimeridian (180 degrees)"),
    ),
    "area.latitudes": (
        _("the south edge %(south)s is not south of the north edge %(north)s"),
        _("give the southern latitude first"),
    ),
    "column_sum.column": ("column %(true)s sums to %(value)s", "make every column sum to 1"),
    "cyclic": (
        "a window of %(value)s bins that goes round %(inputs)s sends different shares alike",
        "take a window that has no divisor in common with the number of bins",
    ),
    "disguise.amplification": (
        _("an amplification of %(value)s/%(denominator)s carries no information"),
        _("choose epsilon > 0"),
    ),
    "disguise.area": (_("area = %(value)r"), _("give an Area")),
    "disguise.coin": (_("the coin weighs less than its own side"), _("make lean + step x <= coin")),
    "disguise.constant": (_("what is sent does not depend on the answer"), _("give a peak or a step")),
    "disguise.levels": (_("%(count)s levels"), _("give 1 to %(most)s PlanarLevel objects")),
    "disguise.no_window": (_("weights without a window"), _("give a window of 1 or more")),
    "disguise.range": (_("range = %(value)r"), _("give a NumberRange")),
    "frame.fraction": ("frame %(value)s is no whole number of windows", "let tiles fill the frame"),
    "frame.outside": ("frame %(value)s leaves the sensitive cells", "keep frames inside them"),
    "frame.pair": ("tiles %(value)r", "give how many across and how many up"),
    "frame.tiles": (
        "%(count)s numbers of tiles for %(rectangles)s rectangles",
        "give one pair for each rectangle, no frames, and snap",
    ),
    "frame.window": (
        "a window of %(across)s x %(up)s cells in a frame of %(width)s x %(height)s",
        "keep the window inside its frame",
    ),
    "frame.windows": (
        "windows of %(value)s cells",
        "give all windows the same number of cells: else epsilon is exceeded",
    ),
    "latitude": (
        _("the area reaches from latitude %(south)s to %(north)s"),
        _("stay within 80 degrees of the equator: beyond, a flat map is too wrong"),
    ),
    "no_rectangle.level": (
        _("level %(value)s has no rectangle"),
        _("mark at least one in it, or take the level out"),
    ),
    "no_rectangle.map": (_("no rectangle is sensitive"), _("mark at least one, or protect the whole map")),
    "no_score.channel": (
        "the channel misses the wanted mean by %(value).2g: it does not tell these values apart",
        "ask for a larger part, or read it off the reconstructed distribution",
    ),
    "out_of_range.chance": ("entry %(value)s is no chance", "give entries in [0, 1]"),
    "overlap.level": (
        _("level %(value)s shares a cell with an earlier one"),
        _("give each cell to one level at most"),
    ),
    "overlap.levels": (_("two levels share a cell"), _("give each cell to one level at most")),
    "overlap.rectangles": (
        _("rectangles %(first)s and %(second)s overlap"),
        _("cut the union into rectangles that share no cell"),
    ),
    "prior.weights": ("weights of shape %(value)s", "give %(inputs)s weights of 0 or more"),
    "range.bin": (
        _("bins of %(value)s do not fill %(ticks)s different numbers"),
        _("let the range end at %(end)s, or choose another bin"),
    ),
    "range.bins": (_("%(value)s bins"), _("choose a bin that gives 2 to %(most)s of them")),
    "range.ends": (_("%(low)s to %(value)s is no range"), _("let it end above its beginning")),
    "rectangle.entries": (_("%(value)r has %(entries)s entries"), _("give %(count)s whole numbers of cells")),
    "rectangle.grid": (
        _("rectangle %(value)r leaves the grid of %(columns)s x %(rows)s cells"),
        _("keep it inside the area"),
    ),
    "rectangle.small": (
        _("rectangle %(value)r is smaller than a cell"),
        _("enlarge it, or choose smaller cells"),
    ),
    "refusal.alike": (
        _("under %(value)s no draw sends the same for every answer: a skip cannot hide"),
        _("choose another mechanism, or do not offer a skip"),
    ),
    "refusal_low": (
        _(
            "refusal %(value)s is below %(least)s: a skip would tell more than an answer does under "
            "%(mechanism)s"
        ),
        _("give at least %(least)s"),
    ),
    "regions.empty": (_("a region has no rectangle"), _("give at least one")),
    "regions.overlap": (_("two rectangles of the regions overlap"), _("cut them so that they share no cell")),
    "says_nothing.map": (
        _("what is sent is alike for every place on the map: the answers would say nothing"),
        _("choose a window or tiles smaller than the map, or leave the question out"),
    ),
    "shape.matrix": ("row lengths %(value)s are no matrix", "give equal rows"),
    "spans.overlap": (
        _("bins %(first)s to %(last)s are empty or overlap another item"),
        _("give items that have no bin in common"),
    ),
    "spans.pair": (_("span %(value)r is no pair"), _("give first and last bin")),
    "tile": ("tiles of %(value)s cells", "choose other sides"),
    "too_large.area": (
        _("the area has %(value)s cells"),
        _("choose a cell size that gives 2 to %(most)s cells"),
    ),
    "too_large.fractions": (_("a channel of %(value)s x %(inputs)s fractions"), _("use as_array")),
    "too_large.level": (_("%(value)s %(name)s"), _("give 1 to %(most)s of them")),
    "too_large.planar_channel": (
        _("a channel over %(value)s cells"),
        _("use the kernel of privacy.scales.planar_window, which needs no matrix"),
    ),
    "too_large.planar_weights": (
        _("the weights multiply to a number of %(value)s bits"),
        _("use fewer levels, smaller weights or fewer sizes of tiles: at most %(most)s bits"),
    ),
    "too_large.scores": (
        _("a channel of %(rows)s x %(columns)s"),
        _("use wider bins or larger cells, or read the share off the reconstructed distribution"),
    ),
    "too_large.weights": (_("the weights sum to a number of %(bits)s bits"), _("use at most %(most)s bits")),
    "too_large.window": (
        _("a window of %(value)s over %(inputs)s bins"),
        _("keep it inside the grid, and that below %(most)s outputs"),
    ),
    "too_small.window": ("no window fits the sensitive cells", "choose a smaller one, or larger rectangles"),
}
