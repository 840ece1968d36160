"""Days before and after a date: where to look for another nightly."""

_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

def _days_in(year, month):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]

def _two_digits(number):
    return str(number) if number >= 10 else "0" + str(number)

def _format(year, month, day):
    return "{}-{}-{}".format(year, _two_digits(month), _two_digits(day))

def parse_date(text):
    """Reads the date of a nightly.

    Args:
        text: (str) such as `2026-09-20`.

    Returns:
        (tuple[int, int, int] or None) year, month and day.
    """
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all([part.isdigit() for part in parts]):
        return None
    year, month, day = [int(part) for part in parts]
    if month < 1 or month > 12 or day < 1 or day > _days_in(year, month):
        return None
    return year, month, day

def _next_day(year, month, day):
    if day < _days_in(year, month):
        return year, month, day + 1
    return (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)

def _previous_day(year, month, day):
    if day > 1:
        return year, month, day - 1
    if month > 1:
        return year, month - 1, _days_in(year, month - 1)
    return year - 1, 12, 31

def nearby_dates(date, days):
    """The dates around a date, the nearest first.

    Args:
        date: (str) such as `2026-09-20`.
        days: (int) how many days to go, each way.

    Returns:
        (list[str])
    """
    before = parse_date(date)
    after = before
    dates = []
    for _ in range(days):
        before = _previous_day(*before)
        after = _next_day(*after)
        dates.extend([_format(*before), _format(*after)])
    return dates
