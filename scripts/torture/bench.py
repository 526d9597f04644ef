"""One worker's place: the undamaged files, the folder of the case at hand, and the program."""

import shutil

import commands
import sound
from judge import faults, leftovers, listing
from running import Limits, run


class Bench:
    def __init__(self, program, place, seconds):
        # Cases get the same path as the sound files had when they were made: runs remember it.
        self.program, self.folder, self.sound, self.seconds = (
            program,
            place / "case",
            place / "sound",
            seconds,
        )
        sound.make(program, self.folder, seconds)
        self.folder.rename(self.sound)
        self._answers, self._durations = {}, {}

    def restore(self):
        sound.restore(self.sound, self.folder)

    def run(self, command, limits=Limits(), again=()):
        return run(self.program, [*command.words, *again], self.folder, self.seconds, limits)

    def _learn(self, command):
        """Runs a command on the sound files and keeps what it answers."""
        if command not in self._answers:
            self.restore()
            outcome = self.run(command)
            if outcome.status != 0:
                raise sound.NotSound(
                    f"{command.words} on undamaged files: {outcome.status}, {outcome.errors!r}"
                )
            self._answers[command] = self.read_answer(command, outcome)
            self._durations[command] = (
                outcome.seconds,
                max(
                    (
                        file.stat().st_size
                        for file in commands.files_of(self.folder, command.outputs)
                    ),
                    default=1,
                ),
            )

    def answer(self, command):
        self._learn(command)
        return self._answers[command]

    def duration(self, command):
        """[s] of an undisturbed run"""
        self._learn(command)
        return self._durations[command][0]

    def largest_output(self, command):
        """[bytes] of one file"""
        self._learn(command)
        return self._durations[command][1]

    def read_answer(self, command, outcome):
        return commands.answer(command, self.folder, outcome.output)

    def run_and_judge(self, command, statuses, limits=Limits(), again=(), before=None):
        """(outcome, faults), of one run; what it leaves beside what was there `before` counts."""
        before = before or listing(self.folder)
        outcome = self.run(command, limits, again)
        found = faults(outcome, statuses)
        if not outcome.killed and not outcome.hung:
            found += leftovers(before, listing(self.folder), command, outcome.status == 0)
        if outcome.status == 0 and command.restart and (self.folder / command.restart).exists():
            found.append(("leftover", command.restart))
        if outcome.status == 0:
            lacking = commands.missing(command, self.folder) or commands.not_whole(
                command, self.folder
            )
            if lacking:
                found.append(("half-written", lacking))
        return outcome, found

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)
