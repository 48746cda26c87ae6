"""The privacy risk page for an ethics board, and the audits behind it."""
