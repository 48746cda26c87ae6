"""Words that alone are an answer of yes or no, for imports and for rules of one answer."""

from __future__ import annotations

from typing import Final

YES: Final = (
    *("yes", "oui", "sí", "si", "sì", "sim", "ja", "jo", "tak", "ano", "áno", "igen", "evet", "da", "да"),
    *("так", "ναι", "kyllä", "نعم", "أجل", "بله", "بلی", "آری", "آره", "हाँ", "हां", "ہاں", "জি", "হ্যাঁ"),
    *("ya", "iya", "ndiyo", "ndio", "是", "是的", "有", "はい", "예", "네", "có", "ใช่", "כן"),
)
"""In small letters."""
NO: Final = (
    *("no", "non", "não", "nao", "nein", "nee", "nej", "nei", "nie", "ne", "nem", "ei", "hayır", "нет", "ні"),
    *("όχι", "لا", "كلا", "خیر", "نه", "نخیر", "नहीं", "नही", "نہیں", "না", "tidak", "nggak", "enggak"),
    *("hapana", "否", "不是", "没有", "沒有", "无", "いいえ", "아니요", "아니오", "không", "ไม่ใช่", "לא"),
    "ไม่",
)
"""In small letters."""
