package org.understudy.lab.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.lab.torture.check.Checks;
import org.understudy.lab.torture.check.Violation;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.HistoryFile;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.lab.torture.network.Enclosure;

/** A short run with a split, a kill and a delayed link, where the machine permits network namespaces. */
class TortureIT {
  private static final List<String> ARGUMENTS = List.of("--cluster", "../../scripts/cluster", "--strategy", "group", "--seed", "25922",
      "--minutes", "0.45", "--faults", "split,kill,delay", "--clients", "4");

  @Test
  void aGroupKeepsItsPromisesAndTheCheckHasTeeth(@TempDir Path folder) throws Exception {
    Optional<String> obstacle = Enclosure.unavailable();
    assumeTrue(obstacle.isEmpty(), () -> "Skipped: " + obstacle.orElseThrow());
    Path file = folder.resolve("history");
    List<String> arguments = new ArrayList<>(ARGUMENTS);
    arguments.addAll(List.of("--history", file.toString()));
    assertEquals(0, Enclosure.run(TortureCommand.class, arguments), "Violations are printed above.");

    History.Recorded history = HistoryFile.read(file);
    assertTrue(history.operations().stream().filter(operation -> operation.update() && operation.ok()).count() > 10);
    assertFalse(history.cuts().isEmpty());
    assertEquals(List.of(), Checks.check(history));

    // The same history, broken: nothing of this may be accepted.
    Operation update = first(history, operation -> operation.update() && operation.ok());
    assertRefused(history, operation -> operation.equals(update) ? null : operation);
    assertRefused(history, operation -> operation.equals(update) ? with(operation, operation.value(), Outcome.FAIL) : operation);
    Operation read = last(history, operation -> operation.level() == Level.LINEARIZABLE && operation.ok());
    assertRefused(history, operation -> operation.equals(read) ? with(operation, 0, Outcome.OK) : operation);
    assertRefused(history, operation -> operation.equals(read) ? with(operation, read.value() + 1, Outcome.OK) : operation);
  }

  private static Operation first(History.Recorded history, Predicate<Operation> wanted) {
    return history.operations().stream().filter(wanted).findFirst().orElseThrow();
  }

  private static Operation last(History.Recorded history, Predicate<Operation> wanted) {
    return history.operations().stream().filter(wanted).reduce((earlier, later) -> later).orElseThrow();
  }

  private static Operation with(Operation operation, int value, Outcome outcome) {
    return new Operation(operation.client(), operation.level(), operation.resource(), operation.amount(), value, operation.invoked(),
        operation.returned(), outcome, operation.replica());
  }

  /** @param change the operation in the broken history, or null if it is missing there */
  private static void assertRefused(History.Recorded history, UnaryOperator<Operation> change) {
    List<Operation> broken = new ArrayList<>();
    for (Operation operation : history.operations()) {
      Operation changed = change.apply(operation);
      if (changed != null) {
        broken.add(changed);
      }
    }
    List<Violation> violations = Checks.check(history.with(broken));
    assertFalse(violations.isEmpty());
  }

  @Test
  void anInvalidOptionIsRefused() {
    for (String[] invalid : List.of(new String[] {"--minutes", "0"}, new String[] {"--replicas", "2"}, new String[] {"--clients", "51"},
        new String[] {"--resources", "0"}, new String[] {"--strategy", "none"}, new String[] {"--channel", "log"},
        new String[] {"--faults", "rain"}, new String[] {"--faults", "kill_all"},
        new String[] {"--faults", "kill_database"}, new String[] {"--database", "perhaps"}, new String[] {"--set", "key"},
        new String[] {"--faults", "power_loss"}, new String[] {"--transactions", "101"})) {
      assertEquals(2, TortureCommand.execute("--cluster", "x", "--plan", invalid[0], invalid[1]), String.join(" ", invalid));
    }
  }

  @Test
  void atLoopbackAddressesThereAreOnlyFaultsOfProcesses() {
    assertEquals(2, TortureCommand.execute("--cluster", "x", "--plan", "--loopback", "--faults", "split"));
    assertEquals(2, TortureCommand.execute("--cluster", "x", "--plan", "--loopback", "--strategy", "group", "--channel", "spread"));
    assertEquals(0, TortureCommand.execute("--cluster", "x", "--plan", "--loopback", "--faults", "kill,pause"));
    assertEquals(
        0,
        TortureCommand.execute(
            "--cluster", "x", "--plan", "--loopback", "--faults", "kill-all,power-loss,PAUSE", "--set", "understudy.journal=disk"));
    assertEquals(0, TortureCommand.execute("--cluster", "x", "--plan", "--loopback", "--database", "both"));
    assertEquals(2, TortureCommand.execute("--cluster", "x", "--plan", "--strategy", "group", "--transactions", "10"));
    assertEquals(0, TortureCommand.execute("--cluster", "x", "--plan", "--strategy", "group", "--transactions", "0"));
  }
}
