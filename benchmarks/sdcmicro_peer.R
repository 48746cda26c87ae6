# k-anonymity by local suppression with sdcMicro; needs no Sottovoce.
#
# Rscript benchmarks/sdcmicro_peer.R TABLE.csv HIERARCHIES K LEVEL OUT.csv: columns are recoded to the LEVEL of
# their hierarchies if they are numbers (0: as they are), then cells are suppressed. Prints the processor's seconds.
suppressPackageStartupMessages(library(sdcMicro))
given <- commandArgs(trailingOnly = TRUE)
table <- read.csv(given[1], colClasses = "character", check.names = FALSE)
quasi <- head(names(table), -1)
level <- as.integer(given[4])
for (name in quasi) {
  rows <- strsplit(readLines(file.path(given[2], paste0("h_", name, ".csv"))), ";", fixed = TRUE)
  numeric <- length(rows[[1]]) > 1 && grepl("^part ", rows[[1]][2])
  if (level > 0 && numeric) {
    coarse <- vapply(rows, function(row) row[level + 1], "")
    names(coarse) <- vapply(rows, function(row) row[1], "")
    table[[name]] <- unname(coarse[table[[name]]])
  }
  table[[name]] <- factor(table[[name]])
}
# It takes no hyphen in a name.
plain <- setNames(table[quasi], paste0("q", seq_along(quasi)))
taken <- system.time(made <- kAnon(plain, k = as.integer(given[3]), keyVars = names(plain)))
table[quasi] <- made$xAnon
write.csv(table, given[5], row.names = FALSE)
cat(taken[["user.self"]] + taken[["sys.self"]], as.character(packageVersion("sdcMicro")), "\n")
