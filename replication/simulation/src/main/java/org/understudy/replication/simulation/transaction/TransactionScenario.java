package org.understudy.replication.simulation.transaction;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.simulation.World;

/**
 * A scenario of transactions over three groups, written line by line, for example {@code transaction T changes k0 in group 1}, {@code
 * the primary of group 1 dies after its vote}, {@code transaction T commits}; lines that begin with {@code #} are comments. Group 0
 * coordinates. A {@link TwoPhaseStep} names the moment of a fault. A replica that died restarts by itself. At the end all faults end, and
 * the checkers look at the whole.
 */
public final class TransactionScenario {
  private static final long MS = 1_000_000L;
  private static final long PATIENCE = 400 * MS;
  /** For what must come about. */
  private static final long TIME = 10_000 * MS;

  /** The first line of a scenario with databases. */
  private static final String DATABASES = "each group has a database";
  private static final String FOREIGN = "coordinators are no groups";

  private final TransactionSimulation simulation;
  private final RecordedRequests requests;
  private final World world;
  private final Map<Pattern, Consumer<Matcher>> steps = new LinkedHashMap<>();
  private final Map<String, Scripted> transactions = new TreeMap<>();
  /** By group: the primary of which the scenario speaks. */
  private final Map<Integer, SimulatedNode> primaries = new HashMap<>();
  private final List<String> failures = new ArrayList<>();
  private int numbered;

  /** A transaction of the scenario. */
  private static final class Scripted {
    private final TransactionHistory.Entry entry;
    /** A call was not answered, or it aborts by request: it never commits. */
    private boolean failed;

    Scripted(TransactionHistory.Entry entry) {
      this.entry = entry;
    }
  }

  private TransactionScenario(long seed, Set<Rule> rules) {
    this.simulation = new TransactionSimulation(seed, rules);
    this.requests = new RecordedRequests(simulation);
    this.world = simulation.world();
    define();
  }

  /**
   * Plays it.
   *
   * @param seed for the times that messages take
   * @return the expectations that failed, which begin with {@code expected}, and the violations of checkers; empty when the scenario passes
   * @throws IllegalArgumentException for an invalid line
   */
  public static List<String> play(List<String> lines, long seed, Set<Rule> rules) {
    return play(lines, seed, rules, null);
  }

  /** Like the other; prints the trace, unless {@code trace} is null. */
  static List<String> play(List<String> lines, long seed, Set<Rule> rules, PrintStream trace) {
    TransactionScenario scenario = new TransactionScenario(seed, rules);
    scenario.simulation.traceTo(trace);
    if (lines.contains(DATABASES)) {
      scenario.simulation.withDatabases();
    }
    if (lines.contains(FOREIGN)) {
      scenario.simulation.withForeignCoordinators();
    }
    scenario.simulation.begin();
    for (int group = 0; group < TransactionSimulation.GROUPS; group++) {
      scenario.primaries.put(group, scenario.simulation.primary(group));
    }
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        scenario.play(line.strip());
      }
    }
    for (NamedFaults.Fault fault : List.copyOf(scenario.simulation.named().armed())) {
      scenario.failures.add("expected a moment that did not come: " + fault);
    }
    for (String message : scenario.simulation.named().neverLost()) {
      scenario.failures.add("expected a message to lose: " + message);
    }
    scenario.failures.addAll(scenario.simulation.finish());
    return scenario.failures;
  }

  private void play(String line) {
    world.trace("--- %s", line);
    for (Map.Entry<Pattern, Consumer<Matcher>> step : steps.entrySet()) {
      Matcher matcher = step.getKey().matcher(line);
      if (matcher.matches()) {
        step.getValue().accept(matcher);
        return;
      }
    }
    throw new IllegalArgumentException("No scenario of transactions has a line like: " + line);
  }

  private void step(String pattern, Consumer<Matcher> what) {
    steps.put(Pattern.compile(pattern), what);
  }

  private void define() {
    step("transaction (\\w) begins", m -> begin(m.group(1)));
    step("transaction (\\w) changes ([kd]\\d) in group (\\d)", m -> call(m.group(1), m.group(2), Integer.parseInt(m.group(3))));
    step("transaction (\\w) commits", m -> commit(transactions.get(m.group(1))));
    step("transaction (\\w) commits again", m -> commit(transactions.get(m.group(1)).entry, id()));
    step("transaction (\\w) aborts", m -> abort(transactions.get(m.group(1))));
    step("transaction (\\w) is answered", m -> answer(m.group(1)));
    step("transaction (\\w) is answered (committed|aborted)", m -> {
      answer(m.group(1));
      expect(line(m), Boolean.TRUE.equals(transactions.get(m.group(1)).entry.outcome) == m.group(2).equals("committed"));
    });
    step("a client appends to (k\\d) in group (\\d)", m -> append(m.group(1), Integer.parseInt(m.group(2)), 0));
    step("a client begins to append to (k\\d) in group (\\d), for (\\d+) ms", m ->
        appendLater(m.group(1), Integer.parseInt(m.group(2)), Long.parseLong(m.group(3)) * MS, ignored -> {}));
    step("a client appends to (k\\d) in group (\\d) and is (answered|refused)", m ->
        expect(line(m), append(m.group(1), Integer.parseInt(m.group(2)), 0) == m.group(3).equals("answered")));
    step("the primary of group (\\d) dies", m -> {
      SimulatedNode primary = simulation.primary(Integer.parseInt(m.group(1)));
      if (primary != null) {
        simulation.faults().kill(primary);
      }
      expect(line(m), primary != null && !primary.isAlive());
    });
    step("the primary of group (\\d) dies (before|after) its ([a-z ]+)", m -> arm(NamedFaults.Kind.DEATH, m));
    step("the primary of group (\\d) is unheard in its group (before|after) its ([a-z ]+)", m -> arm(NamedFaults.Kind.ISOLATION, m));
    step("the primary of group (\\d) pauses (before|after) its ([a-z ]+)", m -> arm(NamedFaults.Kind.PAUSE, m));
    step("the database of group (\\d) restarts (before|after) its ([a-z ]+)", m -> arm(NamedFaults.Kind.RESTART, m));
    step("the answer to the next ([a-z ]+) of group (\\d) takes (\\d+) ms", m ->
        simulation.named().delay(Integer.parseInt(m.group(2)), TwoPhaseStep.of(m.group(1)), Long.parseLong(m.group(3)) * MS));
    step("the next ([a-z ]+) of group (\\d) takes (\\d+) ms", m ->
        simulation.named().delay(Integer.parseInt(m.group(2)), TwoPhaseStep.of(m.group(1)), Long.parseLong(m.group(3)) * MS));
    step("a client reads (d\\d) in group (\\d) and is (answered|refused)", m ->
        expect(line(m), read(m.group(1), Integer.parseInt(m.group(2))) == m.group(3).equals("answered")));
    step("the unheard primary is heard again", m -> simulation.faults().hear());
    step(DATABASES, m -> {});
    step(FOREIGN, m -> {});
    defineOperators();
    step("the unheard primary dies", m -> {
      SimulatedNode unheard = simulation.faults().isolated();
      if (unheard != null) {
        simulation.faults().kill(unheard);
      }
      expect(line(m), unheard != null && !unheard.isAlive());
    });
    // No view is formed any more then.
    step("group (\\d) has another primary, and all are in the view", m -> {
      int group = Integer.parseInt(m.group(1));
      SimulatedNode before = primaries.get(group);
      await(line(m), () -> simulation.isWhole(group) && simulation.primary(group) != before);
      primaries.put(group, simulation.primary(group));
    });
    step("(the|any) ([a-z ]+) of group (\\d) is lost", m ->
        simulation.named().lose(TwoPhaseStep.of(m.group(2)), Integer.parseInt(m.group(3)), m.group(1).equals("the")));
    step("messages arrive again", m -> simulation.named().loseNothing());
    step("(\\d+) ms pass", m -> world.runUntil(world.now() + Long.parseLong(m.group(1)) * MS));
  }

  private void defineOperators() {
    step("all replicas of group (\\d) lose their memory", m -> simulation.faults().loseMemory(Integer.parseInt(m.group(1))));
    step("all replicas of group (\\d) lose their memory (before|after) its ([a-z ]+)", m -> arm(NamedFaults.Kind.OBLIVION, m));
    step("transaction (\\w) is in doubt in group (\\d)", m -> {
      TransactionHistory.Part part = part(m);
      await(line(m), () -> {
        SimulatedNode primary = simulation.primary(part.group());
        return primary != null && primary.container.inDoubt().contains(part.transaction());
      });
    });
    step("an operator (commits|aborts) transaction (\\w) in group (\\d)", m -> {
      Decision decision = m.group(1).equals("commits") ? Decision.COMMITTED : Decision.ABORTED;
      TransactionHistory.Part part = new TransactionHistory.Part(Integer.parseInt(m.group(3)), transactions.get(m.group(2)).entry.id);
      simulation.operator().decide(part, decision, done -> {});
      world.runUntil(world.now() + 100 * MS);
    });
    step("an operator forgets transaction (\\w) in group (\\d)", m -> {
      simulation.operator().forget(part(m), done -> {});
      world.runUntil(world.now() + 100 * MS);
    });
    step("transaction (\\w) in group (\\d) is shown as (committed|aborted) against its coordinator", m -> {
      TransactionHistory.Part part = part(m);
      await(line(m), () -> {
        SimulatedNode primary = simulation.primary(part.group());
        OperatorEntry found = primary == null ? null : OperatorEntry.find(primary.image, part.transaction());
        return found != null && found.contradicted() && (found.decision() == Decision.COMMITTED) == m.group(3).equals("committed");
      });
    });
  }

  private TransactionHistory.Part part(Matcher m) {
    return new TransactionHistory.Part(Integer.parseInt(m.group(2)), transactions.get(m.group(1)).entry.id);
  }

  private static String line(Matcher matcher) {
    return matcher.group();
  }

  private void arm(NamedFaults.Kind happens, Matcher m) {
    boolean before = m.group(2).equals("before");
    simulation.named().arm(new NamedFaults.Fault(happens, Integer.parseInt(m.group(1)), before, TwoPhaseStep.of(m.group(3))));
  }

  // ---- transactions

  private void begin(String name) {
    List<String> answers = new ArrayList<>();
    askToBegin(name, answers);
    await("an id of transaction " + name, () -> !answers.isEmpty());
    transactions.put(name, new Scripted(simulation.history().begin(answers.isEmpty() ? name : answers.get(0))));
  }

  private void askToBegin(String name, List<String> answers) {
    ask(0, (SimulatedNode node, Consumer<String> answer) -> node.container.coordinator().open(name, answer), id -> {
      if (id != null) {
        answers.add(id);
      } else {
        world.after(20 * MS, () -> askToBegin(name, answers));
      }
    });
  }

  private <T> void ask(int group, TransactionNetwork.Ask<T> request, Consumer<T> answer) {
    simulation.network().ask(group, PATIENCE, request, answer);
  }

  private void call(String name, String key, int group) {
    Scripted transaction = transactions.get(name);
    if (transaction.failed) {
      return;
    }
    Object[] done = new Object[1];
    long asked = world.now();
    ask(
        group,
        (SimulatedNode node, Consumer<Boolean> answer) -> node.container.call(transaction.entry.id, key, false, answer),
        answer -> done[0] = Boolean.TRUE.equals(answer));
    await("an answer to a call of transaction " + name, () -> done[0] != null);
    if (Boolean.TRUE.equals(done[0])) {
      transaction.entry.changes.putIfAbsent(new TransactionHistory.Place(group, key), asked);
    } else {
      abort(transaction);
    }
  }

  private void abort(Scripted transaction) {
    transaction.failed = true;
    ask(
        0,
        (SimulatedNode node, Consumer<Boolean> answer) -> {
          node.container.coordinator().abort(transaction.entry.id);
          answer.accept(true);
        },
        any -> {});
  }

  private RequestKey id() {
    return new RequestKey.OfMessageId(1, ++numbered);
  }

  private void commit(Scripted transaction) {
    if (!transaction.failed) {
      transaction.entry.commitRequested = true;
      commit(transaction.entry, id());
    }
  }

  private void commit(TransactionHistory.Entry entry, RequestKey id) {
    simulation.network().ask(
        0, 3 * PATIENCE,
        (SimulatedNode node, Consumer<Boolean> answer) -> node.container.coordinator().commit(entry.id, id, answer),
        committed -> {
          if (committed == null) {
            world.after(20 * MS, () -> commit(entry, id));
          } else {
            entry.outcome = committed;
            entry.answeredAt = world.now();
            world.trace("%s is answered: %s", entry.id, committed ? "committed" : "aborted");
          }
        });
  }

  /** What was never to commit needs no answer. */
  private void answer(String name) {
    Scripted transaction = transactions.get(name);
    await("an answer to transaction " + name, () -> transaction.failed || transaction.entry.outcome != null);
  }

  // ---- other requests

  private boolean append(String key, int group, long nanos) {
    Boolean[] done = new Boolean[1];
    appendLater(key, group, nanos, answer -> done[0] = answer);
    await("an answer to an append", () -> done[0] != null);
    return Boolean.TRUE.equals(done[0]);
  }

  private void appendLater(String key, int group, long nanos, Consumer<Boolean> done) {
    String entry = "u" + ++numbered;
    RequestKey id = id();
    requests.append(
        group, 3 * PATIENCE, List.of(key), entry,
        (node, answer) -> node.container.values().append(key, entry, id, nanos, answer), done);
  }

  private boolean read(String key, int group) {
    Boolean[] done = new Boolean[1];
    requests.read(group, PATIENCE, key, answered -> done[0] = answered);
    await("an answer to a read", () -> done[0] != null);
    return Boolean.TRUE.equals(done[0]);
  }

  private void expect(String what, boolean holds) {
    if (!holds) {
      failures.add("expected: " + what);
    }
  }

  private void await(String what, BooleanSupplier condition) {
    long end = world.now() + TIME;
    while (!condition.getAsBoolean() && world.now() < end) {
      world.runUntil(world.now() + MS);
    }
    expect(what, condition.getAsBoolean());
  }
}
