# Read the ZIP file of a run of Sottovoce in R, without other packages.
#
#   source("sottovoce.R")
#   data  <- read_sottovoce("export.zip")
#   items <- sottovoce_items(data)          # each answer with p, theta, p0 and p1
#   sottovoce_share(data, "late")           # estimate, standard error, interval
#   y     <- sottovoce_response(data, "late")
#
# y has a row for each person who was asked: the report (1 or 0), and the probabilities of its disguise:
#
#   p       that the device sent the true answer
#   theta   that a random answer is "yes"
#   p1, p0  that "yes" or "no" was sent whatever is true: (1 - p) theta and (1 - p) (1 - theta)
#
# Packages for randomised response take them as they are, with one strength of the disguise:
#
#   rr::rrreg(y ~ 1, data = y, p = y$p[1], p1 = y$p1[1], p0 = y$p0[1], design = "forced-known")
#   RRreg::RRuni(response = y$y, model = "FR", p = c(y$p0[1], y$p1[1]))
#
# Questions of one part share a coin. These packages treat each question alone, so they cannot estimate pairs
# of answers of one part: take those from run/itemsets.csv and run/rules.csv.

read_sottovoce <- function(file) {
  if (!file.exists(file)) stop("there is no file ", file, "; give the path of a run's ZIP file")
  inside <- utils::unzip(file, list = TRUE)$Name
  missing <- setdiff(c("rows.csv", "codebook.csv"), inside)
  if (length(missing) > 0) {
    stop(file, " has no ", paste(missing, collapse = " and no "),
         "; download the ZIP file with \"Export data\" on the page of the survey")
  }
  folder <- tempfile("sottovoce")
  on.exit(unlink(folder, recursive = TRUE))
  utils::unzip(file, files = c("rows.csv", "codebook.csv"), exdir = folder)
  # Options may be called "NA" or "01", so everything is read as text; only empty cells are missing.
  read <- function(name) {
    utils::read.csv(file.path(folder, name), colClasses = "character", na.strings = character(0),
                    check.names = FALSE, encoding = "UTF-8")
  }
  structure(list(rows = read("rows.csv"), codebook = read("codebook.csv")), class = "sottovoce")
}

print.sottovoce <- function(x, ...) {
  cat("<", nrow(x$rows), " rows, ", nrow(sottovoce_items(x)), " disguised answers>\n", sep = "")
  invisible(x)
}

sottovoce_items <- function(data) {
  book <- data$codebook
  kinds <- c("yes_no", "multi", "single")
  book <- book[book$kept == "disguised" & book$kind %in% kinds, , drop = FALSE]
  book <- book[book$kind == "single" | book$value == "1", , drop = FALSE]
  p <- as.numeric(book$truth_probability)
  light <- book[["light_truth_probability"]]
  skip <- as.numeric(book$skip_share)
  theta <- as.numeric(book$unrelated_share) * (1 - skip)
  data.frame(
    item = ifelse(book$kind == "single", paste0(book$column, "=", book$value), book$column),
    column = book$column, value = book$value, block = book$block,
    p = p, p_light = if (is.null(light)) NA_real_ else as.numeric(light), theta = theta, skip = skip,
    p0 = (1 - p) * (1 - theta), p1 = (1 - p) * theta, stringsAsFactors = FALSE
  )
}

sottovoce_response <- function(data, item) {
  items <- sottovoce_items(data)
  own <- items[items$item == item, , drop = FALSE]
  if (nrow(own) != 1) {
    stop("there is no disguised answer ", item, "; use one of ", paste(items$item, collapse = ", "))
  }
  sent <- data$rows[[own$column]]
  skipped <- data$rows[[paste0(own$block, ".skipped")]]
  # A skip is one of the reports: whoever skips does not have the answer.
  is_skip <- if (is.null(skipped)) rep(FALSE, length(sent)) else skipped == "1"
  asked <- sent != "" | is_skip
  p <- rep(own$p, length(sent))
  group <- data$rows[["group"]]
  if (!is.null(group) && !is.na(own$p_light)) p[group == "direct"] <- own$p_light
  p <- p[asked]
  data.frame(y = as.integer(sent[asked] == own$value & !is_skip[asked]), p = p, theta = own$theta,
             p0 = (1 - p) * (1 - own$theta), p1 = (1 - p) * own$theta)
}

sottovoce_share <- function(data, item, level = 0.95) {
  y <- sottovoce_response(data, item)
  if (nrow(y) == 0) stop("no one was asked ", item)
  score <- (y$y - y$p1) / y$p
  error <- sqrt(mean((score - mean(score))^2) / length(score))
  half <- stats::qnorm((1 + level) / 2) * error
  data.frame(item = item, n = length(score), share = mean(score), standard_error = error,
             low = mean(score) - half, high = mean(score) + half, level = level)
}
