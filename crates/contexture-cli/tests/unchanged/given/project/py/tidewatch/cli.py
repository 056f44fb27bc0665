"""The command line."""

import argparse
import sys

from . import predict
from .report import Report
from .stations import load


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(prog="tidewatch")
    parser.add_argument("command", choices=["predict", "report"])
    parser.add_argument("--station", required=True)
    parser.add_argument("--hours", type=int, default=12)
    parser.add_argument("--wind", type=float, default=0.0)
    args = parser.parse_args(argv)
    station = load(args.station)
    if args.command == "predict":
        print(*predict(station, args.hours, args.wind), sep="\n")
    else:
        print(Report(station).add_levels(args.hours).add_alert(args.wind).text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
