package org.understudy.replication.simulation;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.session.SessionActivity;
import org.understudy.replication.core.transfer.TransferMessage;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.Operation;

/**
 * A scenario written line by line, for example {@code client A adds 5 and is told 5}, {@code the primary crashes},
 * {@code replica 2 becomes primary}; lines that begin with {@code #} are comments. A replica is {@code replica N},
 * {@code the primary} or {@code the senior backup}. What must come about has ten virtual seconds. At the end all links are
 * healed, the dead are restarted, and the checkers look at the whole.
 *
 * <p>More than 400 lines because it is the grammar of all sentences of a scenario.
 */
public final class Scenario {
  private static final long MILLISECOND = 1_000_000L;
  private static final long PATIENCE = 10_000 * MILLISECOND;
  private static final String REPLICA = "(replica \\d|the primary|the senior backup)";

  private final Simulation simulation;
  private final World world;
  private final int size;
  private final List<SimulatedClient> many = new ArrayList<>();
  private final Map<String, SimulatedClient> clients = new TreeMap<>();
  private final Map<String, Operation> asked = new TreeMap<>();
  private final Map<Pattern, Consumer<Matcher>> steps = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();

  private Scenario(int size, long seed, ReplicationStrategy strategy, Set<Rule> rules) {
    this.size = size;
    this.simulation = Simulation.scripted(seed == 0 ? size : seed, size, strategy, rules);
    this.world = simulation.world();
    define();
  }

  /**
   * Plays it.
   *
   * @param lines the first one that is not a comment is {@code replicas N}, or {@code replicas N always}: reads are
   *     confirmed by rounds, {@code replicas N few-replies}: kept replies soon make room for others, or {@code replicas N
   *     few-sessions}: two sessions, or {@code replicas N short-leases}: sessions expire after
   *     1.5 s, or {@code replicas N few-places}: four requests wait at a replica at most, and for 200
   *     ms, or {@code replicas N large-parts}: the state is transferred in one message. {@code channel}: the replicas have a group channel.
   *     {@code wire-7}: they are of a build that reads wire versions up to 7.
   *     {@code journals}: they keep journals. {@code steady-clocks}: their clocks do not drift. {@code relays}: they
   *     pass the messages of others on. {@code database}: a part of a resource is
   *     in a database
   * @return the expectations that failed and the violations of checkers; empty when the scenario passes
   * @throws IllegalArgumentException for an invalid line
   */
  public static List<String> play(List<String> lines, ReplicationStrategy strategy, Set<Rule> rules) {
    return play(lines, strategy, rules, null);
  }

  /** Like the other; prints the trace, unless {@code trace} is null. */
  static List<String> play(List<String> lines, ReplicationStrategy strategy, Set<Rule> rules, PrintStream trace) {
    return play(lines, 0, strategy, rules, trace);
  }

  /** Like the other, with times that messages take from this seed. */
  static List<String> play(List<String> lines, long seed, ReplicationStrategy strategy, Set<Rule> rules) {
    return play(lines, seed, strategy, rules, null);
  }

  private static List<String> play(
      List<String> lines, long seed, ReplicationStrategy strategy, Set<Rule> rules, PrintStream trace) {
    Scenario played = played(lines, seed, strategy, rules, trace, true);
    if (played.failures.isEmpty()) {
      played.failures.addAll(played.simulation.finish());
    }
    return played.failures;
  }

  /**
   * Plays it to the end, whether its expectations are met or not.
   *
   * @param seed of the times that messages take
   * @return the violations that checkers report
   */
  static List<String> violations(List<String> lines, long seed, ReplicationStrategy strategy, Set<Rule> rules) {
    return played(lines, seed, strategy, rules, null, false).simulation.finish();
  }

  /**
   * @param seed 0: the number of replicas
   * @param stops at the first expectation that is not met
   */
  private static Scenario played(
      List<String> lines, long seed, ReplicationStrategy strategy, Set<Rule> rules, PrintStream trace, boolean stops) {
    Scenario scenario = null;
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (scenario == null) {
        List<String> words = List.of(line.strip().split(" "));
        scenario = new Scenario(Integer.parseInt(words.get(1)), seed, strategy, rules);
        words.subList(2, words.size()).forEach(scenario::set);
        scenario.simulation.traceTo(trace);
        scenario.begin();
      } else if (!stops || scenario.failures.isEmpty()) {
        scenario.play(line.strip());
      }
    }
    if (scenario == null) {
      throw new IllegalArgumentException("A scenario begins with: replicas N");
    }
    return scenario;
  }

  private void set(String word) {
    switch (word) {
      case "few-replies" -> simulation.limit(SimulatedLimits.FEW_REPLIES);
      case "few-sessions" -> simulation.limit(SimulatedLimits.FEW_SESSIONS);
      case "short-leases" -> simulation.limit(SimulatedLimits.SHORT_LEASES);
      case "few-places" -> simulation.limit(SimulatedLimits.FEW_PLACES);
      case "large-parts" -> simulation.limit(SimulatedLimits.LARGE_PARTS);
      case "channel" -> simulation.withGroupChannel();
      case "journals" -> simulation.withJournals();
      case "steady-clocks" -> simulation.steadyClocks();
      case "relays" -> simulation.withRelays();
      case "database" -> simulation.withDatabase();
      case "wire-7" -> simulation.replicas().forEach(replica -> replica.install(new WireVersions(1, 7)));
      default -> simulation.confirmReads(ReadConfirmation.valueOf(word.toUpperCase(Locale.ROOT)));
    }
  }

  /** What clients do with their sessions, and how long the methods take that they call. */
  private void defineSessions() {
    step("client (\\w) opens a session", m -> clients.put(m.group(1), begun(SimulatedClient.Manner.SESSION)));
    step("client (\\w) renews its session at " + REPLICA, m -> {
      Object[] answer = new Object[1];
      clients.get(m.group(1)).renew(replica(m.group(2)), what -> answer[0] = what);
      await("an answer", () -> answer[0] != null);
      if (!(answer[0] instanceof Reply)) {
        failures.add("it was: " + answer[0]);
      }
    });
    step("client (\\w) waits for each answer", m -> clients.get(m.group(1)).waitForAnswers());
    step("the methods that client (\\w) calls take (\\d+) ms", m ->
        simulation.methodsTake(clients.get(m.group(1)).name(), Long.parseLong(m.group(2)) * MILLISECOND));
    step("from now on client (\\w) adds (\\d+) every (\\d+) ms for (\\d+) ms", m ->
        addEvery(
            m.group(1), Long.parseLong(m.group(2)), Long.parseLong(m.group(3)) * MILLISECOND,
            world.now() + Long.parseLong(m.group(4)) * MILLISECOND));
    step("client (\\w) adds (\\d+) to another resource every (\\d+) ms until client (\\w) has its answer, within (\\d+) ms each", m -> {
      Operation awaited = asked.get(m.group(4));
      while (awaited.end() == Operation.End.OPEN && failures.isEmpty()) {
        Operation other = clients.computeIfAbsent(m.group(1), name -> begun(SimulatedClient.Manner.SESSION))
            .ask(Action.ADD, 1, null, Long.parseLong(m.group(2)));
        await("an answer to client " + m.group(1), Long.parseLong(m.group(5)) * MILLISECOND, () -> other.end() != Operation.End.OPEN);
        world.runUntil(world.now() + Long.parseLong(m.group(3)) * MILLISECOND);
      }
      expectResult(awaited);
    });
    step("client (\\w) has its answer within (\\d+) ms", m -> {
      Operation awaited = asked.get(m.group(1));
      await("an answer", Long.parseLong(m.group(2)) * MILLISECOND, () -> awaited.end() != Operation.End.OPEN);
      expectResult(awaited);
    });
    step("client (\\w) is refused as (\\w+) within (\\d+) ms", m -> {
      Operation awaited = asked.get(m.group(1));
      await("an end", Long.parseLong(m.group(3)) * MILLISECOND, () -> awaited.end() != Operation.End.OPEN);
      FailureCode code = clients.get(m.group(1)).refusal();
      if (awaited.end() != Operation.End.REFUSED || code != FailureCode.valueOf(m.group(2))) {
        failures.add("it was: " + awaited + ", after " + code);
      }
    });
    step(REPLICA + " loses its next report of sessions", m -> simulation.replica(replica(m.group(1))).loseNextReport());
    step(REPLICA + " reports no sessions", m -> simulation.replica(replica(m.group(1)))
        .suppress(message -> message instanceof SessionActivity));
  }

  private void begin() {
    for (int number = 1; number <= size; number++) {
      simulation.replica(number).start();
    }
    await("the first view", this::areAllInTheView);
  }

  private void play(String line) {
    world.trace("--- %s", line);
    for (Map.Entry<Pattern, Consumer<Matcher>> step : steps.entrySet()) {
      Matcher matcher = step.getKey().matcher(line);
      if (matcher.matches()) {
        int before = failures.size();
        step.getValue().accept(matcher);
        if (failures.size() > before) {
          failures.add("at: " + line);
        }
        return;
      }
    }
    throw new IllegalArgumentException("No scenario has a line like: " + line);
  }

  private void step(String pattern, Consumer<Matcher> what) {
    steps.put(Pattern.compile(pattern), what);
  }

  private void define() {
    step("client (\\w) adds (\\d+) and is told (\\d+)", m -> {
      ask(m.group(1), null, Long.parseLong(m.group(2)));
      expectAnswer(m.group(1), Long.parseLong(m.group(3)));
    });
    step("client (\\w) adds (\\d+)", m -> ask(m.group(1), null, Long.parseLong(m.group(2))));
    step("client (\\w) reads (linearizable|session|local) and is told (\\d+)", m -> {
      ask(m.group(1), level(m.group(2)), 0);
      expectAnswer(m.group(1), Long.parseLong(m.group(3)));
    });
    step("client (\\w) reads (linearizable|session|local)", m -> ask(m.group(1), level(m.group(2)), 0));
    step("client (\\w) is told (\\d+)", m -> expectAnswer(m.group(1), Long.parseLong(m.group(2))));
    step("client (\\w) is told (\\d+) within (\\d+) ms", m ->
        expectAnswer(m.group(1), Long.parseLong(m.group(2)), Long.parseLong(m.group(3)) * MILLISECOND));
    step("client (\\w) is told nothing for (\\d+) ms", m -> {
      world.runUntil(world.now() + Long.parseLong(m.group(2)) * MILLISECOND);
      Operation operation = asked.get(m.group(1));
      if (operation.end() != Operation.End.OPEN) {
        failures.add("it was told: " + operation);
      }
    });
    step("all clients have their answers", m ->
        await("all answers", () -> clients.values().stream().allMatch(SimulatedClient::idle)));
    step("client (\\w) has no session", m -> clients.put(m.group(1), begun(SimulatedClient.Manner.MESSAGE_ID)));
    step("clients (\\w) (\\w) (\\w) open sessions at once", m -> {
      for (int i = 1; i <= 3; i++) {
        SimulatedClient client = simulation.client(SimulatedClient.Manner.SESSION);
        client.startScripted();
        clients.put(m.group(i), client);
      }
      world.runUntil(world.now() + 100 * MILLISECOND);
    });
    step("at most (\\d+) sessions are open", m -> {
      int most = 0;
      for (int number = 1; number <= size; number++) {
        most = Math.max(most, simulation.replica(number).sessions());
      }
      if (most > Integer.parseInt(m.group(1))) {
        failures.add(most + " are open");
      }
    });
    step("client (\\w) closes its session", m -> {
      clients.get(m.group(1)).close();
      world.runUntil(world.now() + 100 * MILLISECOND);
    });
    step("a late copy of the OpenSession of client (\\w) arrives", m -> {
      clients.get(m.group(1)).repeatOpenSession();
      world.runUntil(world.now() + 100 * MILLISECOND);
    });
    step("a late copy of the last update of client (\\w) arrives", m -> {
      clients.get(m.group(1)).repeatLastUpdate();
      world.runUntil(world.now() + 100 * MILLISECOND);
    });
    step("answers to client (\\w) are lost", m -> {
      for (int number = 1; number <= size; number++) {
        simulation.network().cut(number, 1_000 + clients.get(m.group(1)).number());
      }
    });
    step(REPLICA + " crashes", m -> simulation.replica(replica(m.group(1))).crash(false));
    step(REPLICA + " crashes before its second step", m -> {
      SimulatedReplica victim = simulation.replica(replica(m.group(1)));
      victim.beforeSecondStep(() -> victim.crash(false));
    });
    step(REPLICA + " takes (\\d+) ms for each second step", m ->
        simulation.replica(replica(m.group(1))).secondStepsTake(Long.parseLong(m.group(2)) * MILLISECOND));
    step(REPLICA + " crashes and loses its disk", m -> simulation.replica(replica(m.group(1))).crash(true));
    step(REPLICA + " restarts", m -> simulation.replica(replica(m.group(1))).start());
    step(REPLICA + " restarts and lists replicas ([\\d ]+)", m -> {
      List<ReplicaId> listed = new ArrayList<>();
      for (String number : m.group(2).split(" ")) {
        listed.add(new ReplicaId(Integer.parseInt(number)));
      }
      simulation.replica(replica(m.group(1))).start(listed);
    });
    step("replica (\\d) is upgraded to wire versions (\\d+) to (\\d+)", m -> {
      SimulatedReplica upgraded = simulation.replica(Integer.parseInt(m.group(1)));
      if (upgraded.isUp()) {
        upgraded.crash(false);
      }
      upgraded.install(new WireVersions(Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3))));
      upgraded.start();
    });
    step("the view is written in wire version (\\d+)", m -> {
      int written = simulation.replica(replica("the primary")).wireOfView();
      if (written != Integer.parseInt(m.group(1))) {
        failures.add("it is written in version " + written);
      }
    });
    step("no request has run more than (\\d+) times", m -> {
      world.runUntil(world.now() + 2_000 * MILLISECOND);
      if (simulation.work().mostRuns > Integer.parseInt(m.group(1))) {
        // Counted, like what checkers report: no answer shows it.
        simulation.history().violation("bounded runs", "one request has run " + simulation.work().mostRuns + " times");
      }
    });
    step("a replica has warned: (.*)", m -> {
      if (simulation.warnings().stream().noneMatch(m.group(1)::equals)) {
        failures.add("the warnings were: " + simulation.warnings());
      }
    });
    step("replica (\\d) is (not )?refused", m -> {
      String refusal = simulation.replica(Integer.parseInt(m.group(1))).refusal();
      if ((refusal == null) != (m.group(2) != null)) {
        failures.add("its refusal is " + refusal);
      }
    });
    step("replica (\\d) is (not )?writable", m -> {
      if (simulation.replica(Integer.parseInt(m.group(1))).isWritable() != (m.group(2) == null)) {
        failures.add("it is not so");
      }
    });
    step("replica (\\d) is in no view", m -> {
      Role role = simulation.replica(Integer.parseInt(m.group(1))).role();
      if (role != Role.JOINING) {
        failures.add("it is " + role);
      }
    });
    step(REPLICA + " pauses", m -> simulation.replica(replica(m.group(1))).pause());
    step(REPLICA + " resumes", m -> simulation.replica(replica(m.group(1))).resume());
    step(REPLICA + " is cut off from the other replicas", m -> {
      int victim = replica(m.group(1));
      for (int other = 1; other <= size; other++) {
        simulation.faults().cut(victim, other, true, true);
      }
    });
    step(REPLICA + " hears nothing from " + REPLICA, m ->
        simulation.network().cut(replica(m.group(2)), replica(m.group(1))));
    step(REPLICA + " is refused by " + REPLICA, m -> simulation.replica(replica(m.group(1))).suspect(replica(m.group(2))));
    step("all links are healed", m -> simulation.network().heal());
    defineSessions();
    defineStandingFaults();
    defineTransfers();
    step("(\\d+) ms pass", m -> world.runUntil(world.now() + Long.parseLong(m.group(1)) * MILLISECOND));
    step("replica (\\d) becomes primary", m -> {
      int number = Integer.parseInt(m.group(1));
      await("primary", () -> simulation.replica(number).role() == Role.PRIMARY);
    });
    step("replica (\\d) becomes primary within (\\d+) ms", m -> {
      SimulatedReplica next = simulation.replica(Integer.parseInt(m.group(1)));
      await("primary", Long.parseLong(m.group(2)) * MILLISECOND, () -> next.role() == Role.PRIMARY);
    });
    step("replica (\\d) is left out", m -> {
      int number = Integer.parseInt(m.group(1));
      await("a view without it", () -> {
        int primary = simulation.primaryBut(number);
        return primary != 0
            && !simulation.replica(primary).view().contains(new ReplicaId(number));
      });
    });
    step("all are in the view", m -> await("one view of all", this::areAllInTheView));
  }

  /** Faults that last until the links are healed, and the expected events in the meantime. */
  private void defineStandingFaults() {
    step(REPLICA + " hears no replica", m -> {
      int victim = replica(m.group(1));
      for (int other = 1; other <= size; other++) {
        simulation.network().cut(other, victim);
      }
    });
    step("no replica hears " + REPLICA, m -> {
      int victim = replica(m.group(1));
      for (int other = 1; other <= size; other++) {
        simulation.network().cut(victim, other);
      }
    });
    step(REPLICA + " acknowledges no heartbeats", m -> simulation.replica(replica(m.group(1)))
        .suppress(message -> message instanceof MembershipMessage.HeartbeatAck));
    step(REPLICA + " promises nothing", m -> simulation.replica(replica(m.group(1)))
        .suppress(message -> message instanceof MembershipMessage.Promise));
    step(REPLICA + " ticks every (\\d+) ms", m ->
        simulation.replica(replica(m.group(1))).tickEvery(Long.parseLong(m.group(2)) * MILLISECOND));
    step("a late copy of the first Join of " + REPLICA + " arrives at " + REPLICA, m -> {
      int joiner = replica(m.group(1));
      Message join = new TransferMessage.Join(0, simulation.replica(joiner).incarnation(), true);
      simulation.replica(replica(m.group(2))).receive(joiner, List.of(join));
    });
    step("client (\\w) reads ahead at " + REPLICA + " and is answered (\\w+)", m -> {
      Object[] answer = new Object[1];
      clients.get(m.group(1)).readAhead(replica(m.group(2)), what -> answer[0] = what);
      await("an answer", () -> answer[0] != null);
      if (!(answer[0] instanceof Failure failure) || !failure.code().name().equals(m.group(3))) {
        failures.add("it was: " + answer[0]);
      }
    });
    step("client (\\w) adds (\\d+) once at " + REPLICA, m ->
        clients.get(m.group(1)).addOnce(replica(m.group(3)), Long.parseLong(m.group(2))));
    step("client (\\w) adds (\\d+) at " + REPLICA + " and repeats it with a later handle", m ->
        clients.get(m.group(1)).addTwice(replica(m.group(3)), Long.parseLong(m.group(2))));
    step("for (\\d+) ms client (\\w) reads at " + REPLICA + " and is (sometimes|always|never) refused for lack of a quorum", m -> {
      int[] refused = new int[1];
      int reads = 0;
      long end = world.now() + Long.parseLong(m.group(1)) * MILLISECOND;
      while (world.now() < end) {
        clients.get(m.group(2)).readOnce(replica(m.group(3)), what ->
            refused[0] += what instanceof Failure failure && failure.code() == FailureCode.NoQuorum ? 1 : 0);
        reads++;
        world.runUntil(world.now() + 5 * MILLISECOND);
      }
      boolean expected = switch (m.group(4)) {
        case "never" -> refused[0] == 0;
        case "always" -> refused[0] >= reads - 1;
        default -> refused[0] > 0;
      };
      if (!expected) {
        failures.add(refused[0] + " of " + reads + " were refused");
      }
    });
    step("the monotonic clock of " + REPLICA + " stops", m -> simulation.replica(replica(m.group(1))).clock().stopMonotonic());
    step("the wall clock of " + REPLICA + " stops", m -> simulation.replica(replica(m.group(1))).clock().stopWall());
    step("the wall clock of " + REPLICA + " is set (\\d+) s (ahead|back)", m -> {
      long nanos = Long.parseLong(m.group(2)) * 1_000 * MILLISECOND;
      simulation.replica(replica(m.group(1))).clock().setWall(m.group(3).equals("ahead") ? nanos : -nanos);
    });
    step("the (counted|wall) time of the group differs by less than (\\d+) s at " + REPLICA, m -> {
      SimulatedReplica replica = simulation.replica(replica(m.group(3)));
      long ahead = m.group(1).equals("wall") ? replica.clocks().wall() : replica.clocks().counted();
      long differs = Math.abs(replica.clock().now() + ahead - world.now()) / MILLISECOND;
      if (differs >= Long.parseLong(m.group(2)) * 1_000) {
        failures.add("it differs by " + differs + " ms");
      }
    });
    step(REPLICA + " acknowledges no updates", m -> simulation.replica(replica(m.group(1)))
        .suppress(message -> message instanceof OrderMessage.Ack));
    step(REPLICA + " acknowledges neither updates nor views", m -> simulation.replica(replica(m.group(1)))
        .suppress(message -> message instanceof OrderMessage.Ack || message instanceof MembershipMessage.Accepted));
    step(REPLICA + " sends no updates", m -> simulation.replica(replica(m.group(1)))
        .suppress(message -> message instanceof OrderMessage.Update));
    step(REPLICA + " does not reach the database", m -> simulation.database().cutOff(replica(m.group(1))));
    step(REPLICA + " reaches the database again", m -> simulation.database().reconnect(replica(m.group(1))));
    step("the disk of " + REPLICA + " hangs", m -> simulation.replica(replica(m.group(1))).hangDisk());
    step("the disk of " + REPLICA + " answers", m -> simulation.replica(replica(m.group(1))).diskAnswers());
    step("all disks hang", m -> simulation.replicas().forEach(SimulatedReplica::hangDisk));
    step("all disks answer", m -> simulation.replicas().forEach(SimulatedReplica::diskAnswers));
    step("the channel of " + REPLICA + " fails", m -> simulation.group().fail(replica(m.group(1))));
    step("the channel of " + REPLICA + " returns", m -> simulation.group().recover(replica(m.group(1))));
    step("the channel loses what " + REPLICA + " multicasts", m -> simulation.group().silence(replica(m.group(1))));
    step("the channel divides " + REPLICA + " from the others", m -> simulation.group().divide(replica(m.group(1))));
    step("the channel delivers to " + REPLICA + " after (\\d+) ms", m ->
        simulation.group().delay(replica(m.group(1)), Long.parseLong(m.group(2)) * MILLISECOND));
    step("the sides of the channel meet, and messages are repeated", m -> simulation.group().merge(1));
    step("links keep the order of messages", m -> simulation.network().keepOrder());
    step("links between replicas carry (\\d+) kbit/s", m ->
        simulation.network().stand(StandingLink.narrow(world, size, Long.parseLong(m.group(1)))));
    step("links outlive cuts", m -> simulation.network().outliveCuts());
    step("messages to " + REPLICA + " take (\\d+) ms", m ->
        simulation.faults().delayTo(replica(m.group(1)), Long.parseLong(m.group(2)) * MILLISECOND));
    step("messages of " + REPLICA + " take (\\d+) ms", m ->
        simulation.network().slow(replica(m.group(1)), Long.parseLong(m.group(2)) * MILLISECOND));
    step("client (\\w) adds (\\d+) and is told (\\d+) within (\\d+) ms", m -> {
      ask(m.group(1), null, Long.parseLong(m.group(2)));
      expectAnswer(m.group(1), Long.parseLong(m.group(3)), Long.parseLong(m.group(4)) * MILLISECOND);
    });
    step("client (\\w) reads (linearizable|session|local) and is told (\\d+) within (\\d+) ms", m -> {
      ask(m.group(1), level(m.group(2)), 0);
      expectAnswer(m.group(1), Long.parseLong(m.group(3)), Long.parseLong(m.group(4)) * MILLISECOND);
    });
    step("client (\\w) adds (\\d+) every (\\d+) ms for (\\d+) ms", m -> {
      long end = world.now() + Long.parseLong(m.group(4)) * MILLISECOND;
      while (world.now() < end) {
        ask(m.group(1), null, Long.parseLong(m.group(2)));
        world.runUntil(world.now() + Long.parseLong(m.group(3)) * MILLISECOND);
      }
    });
    step("client (\\w) adds (\\d+) every (\\d+) ms until all are in the view, for (\\d+) ms at most", m -> {
      long end = world.now() + Long.parseLong(m.group(4)) * MILLISECOND;
      while (!areAllInTheView() && world.now() < end) {
        ask(m.group(1), null, Long.parseLong(m.group(2)));
        world.runUntil(world.now() + Long.parseLong(m.group(3)) * MILLISECOND);
      }
      if (!areAllInTheView()) {
        failures.add("a replica is in no view after " + m.group(4) + " ms");
      }
    });
    step("(\\d+) clients of a resource each open sessions", m -> {
      for (int i = 0; i < Integer.parseInt(m.group(1)); i++) {
        many.add(begun(SimulatedClient.Manner.SESSION));
      }
    });
    step("they add (\\d+) each every (\\d+) ms until all are in the view, for (\\d+) ms at most", m -> {
      long end = world.now() + Long.parseLong(m.group(3)) * MILLISECOND;
      while (!areAllInTheView() && world.now() < end) {
        for (int i = 0; i < many.size(); i++) {
          many.get(i).ask(Action.ADD, i, null, Long.parseLong(m.group(1)));
        }
        world.runUntil(world.now() + Long.parseLong(m.group(2)) * MILLISECOND);
      }
      if (!areAllInTheView()) {
        failures.add("a replica is in no view after " + m.group(3) + " ms");
      }
    });
    step("from now on they add (\\d+) each again and again for (\\d+) ms", m -> {
      long end = world.now() + Long.parseLong(m.group(2)) * MILLISECOND;
      for (int i = 0; i < many.size(); i++) {
        addAgain(many.get(i), i, Long.parseLong(m.group(1)), end);
      }
    });
    step("client (\\w) reads (linearizable|session|local) every (\\d+) ms for (\\d+) ms", m -> {
      long end = world.now() + Long.parseLong(m.group(4)) * MILLISECOND;
      while (world.now() < end) {
        ask(m.group(1), level(m.group(2)), 0);
        world.runUntil(world.now() + Long.parseLong(m.group(3)) * MILLISECOND);
      }
    });
    String readsBeside = "client (\\w) adds (\\d+) at replica (\\d), and client (\\w) reads (linearizable|session|local) at replica (\\d)";
    step(readsBeside + ", every (\\d+) ms for (\\d+) ms", m -> {
      long end = world.now() + Long.parseLong(m.group(8)) * MILLISECOND;
      while (world.now() < end) {
        clients.get(m.group(1)).askAt(Integer.parseInt(m.group(3)), Action.ADD, 0, null, Long.parseLong(m.group(2)));
        clients.get(m.group(4)).askAt(Integer.parseInt(m.group(6)), Action.READ, 0, level(m.group(5)), 0);
        world.runUntil(world.now() + Long.parseLong(m.group(7)) * MILLISECOND);
      }
    });
    step(REPLICA + " is suspended", m -> simulation.replica(replica(m.group(1))).suspend());
    step("client (\\w) reads (linearizable|session|local) at replica (\\d)", m -> {
      SimulatedClient client = clients.get(m.group(1));
      asked.put(m.group(1), client.askAt(Integer.parseInt(m.group(3)), Action.READ, 0, level(m.group(2)), 0));
    });
    step("client (\\w) reads (linearizable|session|local) at replica (\\d) and is told (\\d+)", m -> {
      SimulatedClient client = clients.get(m.group(1));
      asked.put(m.group(1), client.askAt(Integer.parseInt(m.group(3)), Action.READ, 0, level(m.group(2)), 0));
      expectAnswer(m.group(1), Long.parseLong(m.group(4)));
    });
    step("client (\\w) adds (\\d+) at replica (\\d)", m -> {
      SimulatedClient client = clients.get(m.group(1));
      asked.put(m.group(1), client.askAt(Integer.parseInt(m.group(3)), Action.ADD, 0, null, Long.parseLong(m.group(2))));
    });
    step("client (\\w) adds (\\d+) at replica (\\d) and is told (\\d+)", m -> {
      SimulatedClient client = clients.get(m.group(1));
      long amount = Long.parseLong(m.group(2));
      asked.put(m.group(1), client.askAt(Integer.parseInt(m.group(3)), Action.ADD, 0, null, amount));
      expectAnswer(m.group(1), Long.parseLong(m.group(4)));
    });
    step("client (\\w) adds (\\d+) at replica (\\d) and is told (\\d+) within (\\d+) ms", m -> {
      SimulatedClient client = clients.get(m.group(1));
      long amount = Long.parseLong(m.group(2));
      asked.put(m.group(1), client.askAt(Integer.parseInt(m.group(3)), Action.ADD, 0, null, amount));
      expectAnswer(m.group(1), Long.parseLong(m.group(4)), Long.parseLong(m.group(5)) * MILLISECOND);
    });
    step(REPLICA + " stops for (\\d+) ms every (\\d+) ms for (\\d+) ms", m -> {
      SimulatedReplica victim = simulation.replica(replica(m.group(1)));
      long stopped = Long.parseLong(m.group(2)) * MILLISECOND;
      long period = Long.parseLong(m.group(3)) * MILLISECOND;
      long end = world.now() + Long.parseLong(m.group(4)) * MILLISECOND;
      while (world.now() < end) {
        victim.pause();
        world.runUntil(world.now() + stopped);
        victim.resume();
        world.runUntil(world.now() + period - stopped);
      }
    });
    step("replica (\\d) recovers the group without replicas ([\\d ]+)", m -> {
      Object answer = recover(Integer.parseInt(m.group(1)), m.group(2));
      if (!(answer instanceof Reply)) {
        failures.add("it was: " + answer);
      }
    });
    step("replica (\\d) cannot recover the group without replicas ([\\d ]+): (.*)", m -> {
      Object answer = recover(Integer.parseInt(m.group(1)), m.group(2));
      if (!(answer instanceof Failure failure) || !failure.sentence().matches(".*(" + m.group(3) + ").*")) {
        failures.add("it was: " + answer);
      }
    });
    step("replica (\\d) surveys the group", m -> survey(Integer.parseInt(m.group(1))));
    step("replica (\\d) cannot recover the group by its last survey without replicas ([\\d ]+): (.*)", m -> {
      Object answer = recoverBySurvey(Integer.parseInt(m.group(1)), m.group(2));
      if (!(answer instanceof Failure failure) || !failure.sentence().matches(".*(" + m.group(3) + ").*")) {
        failures.add("it was: " + answer);
      }
    });
    step("at most (\\d+) views have begun", m -> {
      if (simulation.history().epochs() > Integer.parseInt(m.group(1))) {
        failures.add(simulation.history().epochs() + " views have begun");
      }
    });
  }

  private void defineTransfers() {
    step(REPLICA + " counts what it receives", m -> simulation.replica(replica(m.group(1))).countResources());
    step(REPLICA + " has received (\\d+) to (\\d+) resources", m -> {
      long received = simulation.replica(replica(m.group(1))).resourcesReceived();
      if (received < Long.parseLong(m.group(2)) || received > Long.parseLong(m.group(3))) {
        failures.add("it has received " + received);
      }
    });
    step(REPLICA + " is receiving the state", m -> {
      SimulatedReplica joiner = simulation.replica(replica(m.group(1)));
      long before = joiner.resourcesReceived();
      await("another resource", () -> joiner.resourcesReceived() > before);
    });
  }

  /** Surveys the group, then recovers with those of the lost replicas that answer. */
  private Object recover(int survivor, String lost) {
    survey(survivor);
    return recoverBySurvey(survivor, lost);
  }

  private void survey(int survivor) {
    simulation.replica(survivor).survey();
    world.runUntil(world.now() + 100 * MILLISECOND);
  }

  private Object recoverBySurvey(int survivor, String lost) {
    Map<ReplicaId, Long> lives = new TreeMap<>();
    for (String number : lost.split(" ")) {
      lives.put(new ReplicaId(Integer.parseInt(number)), 0L);
    }
    for (SurveyedReplica surveyed : simulation.replica(survivor).surveyed()) {
      lives.computeIfPresent(surveyed.replica(), (replica, none) -> surveyed.incarnation());
    }
    Object[] answer = new Object[1];
    simulation.replica(survivor).recover(lives, what -> answer[0] = what);
    await("an answer to the recovery", () -> answer[0] != null);
    return answer[0];
  }

  private static ReadLevel level(String word) {
    return ReadLevel.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private void ask(String client, ReadLevel level, long amount) {
    SimulatedClient asks = clients.computeIfAbsent(client, name -> begun(SimulatedClient.Manner.SESSION));
    asked.put(client, asks.ask(level == null ? Action.ADD : Action.READ, 0, level, amount));
  }

  /** Each time its last request has an answer. */
  private void addAgain(SimulatedClient client, int resource, long amount, long end) {
    if (world.now() < end) {
      if (client.idle()) {
        client.ask(Action.ADD, resource, null, amount);
      }
      world.after(MILLISECOND, () -> addAgain(client, resource, amount, end));
    }
  }

  private void addEvery(String client, long amount, long period, long end) {
    if (world.now() < end) {
      ask(client, null, amount);
      world.after(period, () -> addEvery(client, amount, period, end));
    }
  }

  private void expectResult(Operation operation) {
    if (operation.end() != Operation.End.RETURNED) {
      failures.add("it was: " + operation);
    }
  }

  private SimulatedClient begun(SimulatedClient.Manner manner) {
    SimulatedClient fresh = simulation.client(manner);
    fresh.startScripted();
    await("a session", fresh::isOpened);
    return fresh;
  }

  private void expectAnswer(String client, long value) {
    expectAnswer(client, value, PATIENCE);
  }

  private void expectAnswer(String client, long value, long patience) {
    Operation operation = asked.get(client);
    await("an answer to client " + client, patience, () -> operation.end() != Operation.End.OPEN);
    if (operation.end() != Operation.End.RETURNED || operation.observation().value() != value) {
      failures.add("it was: " + operation);
    }
  }

  private int replica(String words) {
    if (words.startsWith("replica ")) {
      return Integer.parseInt(words.substring(8));
    }
    int primary = simulation.primaryBut(0);
    if (primary == 0) {
      throw new IllegalArgumentException("There is no primary at this point of the scenario.");
    }
    return words.equals("the primary") ? primary : simulation.replica(primary).view().senior().number();
  }

  private boolean areAllInTheView() {
    return count(Role.PRIMARY) == 1 && count(Role.BACKUP) == size - 1
        && simulation.replicas().stream().map(SimulatedReplica::view).distinct().count() == 1;
  }

  private int count(Role role) {
    int count = 0;
    for (int number = 1; number <= size; number++) {
      count += simulation.replica(number).role() == role ? 1 : 0;
    }
    return count;
  }

  private void await(String what, BooleanSupplier condition) {
    await(what, PATIENCE, condition);
  }

  private void await(String what, long patience, BooleanSupplier condition) {
    long end = world.now() + patience;
    while (!condition.getAsBoolean() && world.now() < end) {
      world.runUntil(world.now() + MILLISECOND);
    }
    if (!condition.getAsBoolean()) {
      failures.add(what + " did not come about in " + patience / MILLISECOND + " ms");
    }
  }
}
