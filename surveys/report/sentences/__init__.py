"""Sentences that several pages and files share: findings, their absence, waiting answers, forged rows."""
