package org.understudy.lab.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.network.ClusterPorts;
import picocli.CommandLine;

/** Every attack, small: real Tomcats, and honest clients that are served all the same. */
class AttackIT {
  /** What fills something that all clients share. */
  private static final Set<String> FILLING =
      Set.of("subscriptions", "pull points", "service group entries", "resources");

  /** Requests that a replica executes, whatever else it refuses. */
  private static final Set<String> EXECUTED = Set.of("odd paths", "addresses that are none");

  @Test
  void honestClientsAreServedUnderEveryAttack(@TempDir Path out) throws Exception {
    PrintStream terminal = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    int status;
    try {
      status = new CommandLine(new AttackCommand())
          .execute("--cluster", "../../scripts/cluster", "--port", Integer.toString(ClusterPorts.next()), "--seconds", "1",
              "--scale", "0.02", "--out",
              out.toString(), "--set", "understudy.request.deadline.ms=2000", "--set", "understudy.subscriptions=20",
              "--set", "understudy.pull.points=20", "--set", "understudy.servicegroup.entries=100", "--set",
              "understudy.resources=100", "--set", "understudy.sessions=2000");
    } finally {
      System.setOut(terminal);
    }
    String table = said.toString(StandardCharsets.UTF_8);
    terminal.print(table);
    assertEquals(0, status, table);
    List<String> rows = Files.readAllLines(out.resolve("attack.csv"));
    assertEquals(1 + 34, rows.size(), "a head and a row for each attack");
    for (String row : rows.subList(1, rows.size())) {
      String[] cells = row.split(",", -1);
      assertEquals(14, cells.length, row);
      assertTrue(Long.parseLong(cells[1]) > 0, "something was sent: " + row);
      assertTrue(Long.parseLong(cells[6]) > 0, "honest clients called: " + row);
      if (FILLING.contains(cells[0])) {
        assertTrue(Long.parseLong(cells[3]) > 0, "the attacker's share was met: " + row);
      }
      if (EXECUTED.contains(cells[0])) {
        assertTrue(cells[13].contains("200: "), "it was not refused for a wrong reason: " + row);
      }
      if (cells[0].equals("compressed bodies")) {
        assertEquals("0", cells[2], "a replica decodes no body: " + row);
      }
    }
  }

  @Test
  void anInvalidOptionIsRefused() {
    assertEquals(2, new CommandLine(new AttackCommand()).execute("--cluster", "x", "--seconds", "0"));
    assertEquals(2, new CommandLine(new AttackCommand()).execute("--cluster", "x", "--scale", "0"));
    assertEquals(2, new CommandLine(new AttackCommand()).execute("--cluster", "x", "--from", "192.0.2.1"));
  }
}
