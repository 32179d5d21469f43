#!/usr/bin/env python3
"""The model's memory beside DRAMsim3, on the same requests: the table of docs/model.md, Memories.

Usage: dramsim.py --build DIR --dramsim3 PROGRAM [--memory NAME] FILE.tsw...

DRAMsim3 (https://github.com/umd-memsys/DRAMsim3) is built by whoever compares; PROGRAM is its dramsim3main. A workload's
requests go through both twice: when the modelled chip made them, and each as soon as the one before is taken. Both get
the same times of the memory's file, channels, banks, rows and bursts, and open pages; DRAMsim3 decides in each cycle
which request goes next, with the queues of its DDR3 configurations.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMES = {"CL": "read_cycles", "CWL": "write_cycles", "tRCD": "activate_cycles", "tRCDRD": "activate_cycles",
         "tRCDWR": "activate_cycles", "tRP": "precharge_cycles", "tRAS": "open_cycles", "tRTP": "read_precharge_cycles",
         "tRTP_S": "read_precharge_cycles", "tRTP_L": "read_precharge_cycles", "tWR": "write_precharge_cycles",
         "tWTR_S": "write_read_cycles", "tWTR_L": "write_read_cycles", "tRRD_S": "activates_apart", "tRRD_L": "activates_apart",
         "tFAW": "four_activates", "tREFI": "refresh_every", "tRFC": "refresh_cycles"}
ROWS, ROW_BYTES, EPOCH = 32768, 1 << 17, 100  # as many columns as there are requests on their way


def folded(number, bits):
    """As the model's: all digits of so many bits, exclusive or."""
    found = 0
    while number and bits:
        found, number = found ^ number & (1 << bits) - 1, number >> bits
    return found


def bits(number):
    return number.bit_length() - 1


def configuration(sdram, khz, folder):
    """A channel has 64 bits of devices with 16; eight transfers are a burst, a line of 64 bytes."""
    burst = sdram["burst_bytes"] // sdram["bytes_per_cycle"]
    megabytes = ROWS * sdram["banks"] * ROW_BYTES >> 20
    lines = ["[dram_structure]", "protocol = DDR3", "bankgroups = 1", f"banks_per_group = {sdram['banks']}", f"rows = {ROWS}",
             f"columns = {ROW_BYTES // 8}", "device_width = 16", "BL = 8",
             "[timing]", f"tCK = {1e6 / khz:.4f}", "AL = 0", f"tCCD_S = {burst}", f"tCCD_L = {burst}", "tRPRE = 0", "tWPRE = 0",
             "tRTRS = 1", *(f"{name} = {sdram[key]}" for name, key in TIMES.items()),
             "[system]", f"channel_size = {megabytes}", f"channels = {sdram['channels']}", "bus_width = 64",
             "address_mapping = rochrababgco", "queue_structure = PER_BANK", "refresh_policy = RANK_LEVEL_STAGGERED",
             "row_buf_policy = OPEN_PAGE", "cmd_queue_size = 8", "trans_queue_size = 32",
             "[other]", f"epoch_period = {EPOCH}", "output_level = 1"]
    file = folder / "memory.ini"
    file.write_text("\n".join(lines) + "\n")
    return file


class Places:
    """Where the model puts a request, as an address that DRAMsim3 puts there. Each has a column of its own: the model answers
    nothing from a queue and makes one of no two, and DRAMsim3 can wait for ever for a read of what is to be written."""

    def __init__(self, sdram):
        self.sdram, self.rows, self.count = sdram, {}, 0

    def address(self, address):
        s = self.sdram
        piece, low = divmod(address, s["interleave"])
        channel, inside = folded(piece, bits(s["channels"])), (piece >> bits(s["channels"])) * s["interleave"] + low
        row = inside // s["row_bytes"]
        bank = folded(row, bits(s["banks"]))
        number = self.rows.setdefault((channel, bank, row), len(self.rows) % ROWS)
        self.count += 1
        column = self.count * s["burst_bytes"] % ROW_BYTES
        return ((number * s["channels"] + channel) * s["banks"] + bank) * ROW_BYTES + column


def theirs(program, config, trace, least, folder):
    """The cycle in which the last command of a column was given, and the mean latency of reads."""
    cycles = least + 10000
    while True:
        subprocess.run([program, config, "-c", str(cycles), "-t", trace, "-o", folder], check=True, capture_output=True)
        epochs = json.loads((folder / "dramsim3epoch.json").read_text())
        whole = json.loads((folder / "dramsim3.json").read_text())
        last = max(channel["epoch_num"] for channel in epochs if channel["num_read_cmds"] or channel["num_write_cmds"])
        if (last + 20) * EPOCH < cycles:
            reads = sum(channel["num_reads_done"] for channel in whole.values())
            waited = sum(channel["average_read_latency"] * channel["num_reads_done"] for channel in whole.values())
            return last * EPOCH, waited / max(reads, 1)
        cycles = cycles * 3 // 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--dramsim3", required=True)
    parser.add_argument("--memory", default="ddr3-1800-x128")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    given = tomllib.loads((ROOT / "model" / "memories" / f"{options.memory}.toml").read_text())
    sdram = {key: value[0] for key, value in given["sdram"].items()}
    binaries = options.build.resolve() / "bin"
    print("| workload | requests | the model | DRAMsim3 | | at once: the model | DRAMsim3 | | reads wait: the model | DRAMsim3 |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        config = configuration(sdram, given["clock"]["memory_khz"][0], folder)
        for file in options.files:
            requests, cells = folder / "requests", []
            subprocess.run([binaries / "tessera", "model", "--memory", options.memory, "--requests", requests, file], check=True,
                           capture_output=True)
            places = Places(sdram)
            # In the order of their cycles, as DRAMsim3 takes them.
            lines = sorted((line.split() for line in requests.read_text().splitlines()), key=lambda line: int(line[2]))
            requests.write_text("".join(" ".join(line) + "\n" for line in lines))
            for at_once in (False, True):
                trace = folder / "trace"
                trace.write_text("".join(f"{places.address(int(address, 16)):#x} {kind} {0 if at_once else cycle}\n"
                                         for address, kind, cycle in lines))
                said = subprocess.run([binaries / "model_memory", "--memory", options.memory, *["--at-once"] * at_once, requests],
                                      check=True, capture_output=True, text=True).stdout.split()
                cycles, latency = theirs(options.dramsim3, config, trace, int(said[1]), folder)
                cells += [f"{int(said[1]):,}", f"{cycles:,}", f"{100 * (int(said[1]) / cycles - 1):+.1f} %"]
                if not at_once:
                    waits = [f"{float(said[2]):.1f}", f"{latency:.1f}"]
            print("| " + " | ".join([pathlib.Path(file).stem, f"{len(lines):,}", *cells, *waits]) + " |", flush=True)


if __name__ == "__main__":
    main()
