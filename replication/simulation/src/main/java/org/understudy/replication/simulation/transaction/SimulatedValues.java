package org.understudy.replication.simulation.transaction;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;

/** The values at one replica, lists of entries: requests outside of transactions. */
final class SimulatedValues {
  /** The beginning of the owner of a lock that is not a transaction. */
  private static final String RUNNING = "running ";

  private final SimulatedNode node;
  /** Of the container: a locked value is neither read nor changed. */
  private final Map<String, String> locks;
  /** Null without a database. */
  private final SimulatedBranches branches;

  SimulatedValues(SimulatedNode node, Map<String, String> locks, SimulatedBranches branches) {
    this.node = node;
    this.locks = locks;
    this.branches = branches;
  }

  static List<String> entries(byte[] state) {
    return state == null || state.length == 0 ? List.of() : List.of(new String(state, StandardCharsets.UTF_8).split(","));
  }

  static byte[] appended(byte[] before, String entry) {
    String text = before == null || before.length == 0 ? entry : new String(before, StandardCharsets.UTF_8) + "," + entry;
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Appends an entry to a value, outside of any transaction.
   *
   * @param nanos how long the method runs
   */
  void append(String key, String entry, RequestKey id, long nanos, Consumer<Boolean> answer) {
    node.submit(
        SimulatedContainer.update(id),
        new SimulatedNode.Submission() {
          private long running;

          @Override
          void execute(long token) {
            if (locks.containsKey(key)) {
              node.step(new Input.Abandoned(token));
              answer.accept(false);
              return;
            }
            Map<String, Long> read = Map.of(key, node.version(key));
            StateChange change = new StateChange(key, appended(node.image.get(key), entry));
            locks.put(key, RUNNING + token);
            running = token;
            node.simulation.world().after(nanos, () -> node.arrive(
                () -> node.step(new Input.Executed(token, read, Response.EMPTY, List.of(change)))));
          }

          private void unlock() {
            locks.remove(key, RUNNING + running);
          }

          @Override
          void commit() {
            unlock();
          }

          @Override
          void rollback() {
            unlock();
          }

          @Override
          void reply() {
            answer.accept(true);
          }

          @Override
          void fail(Failure failure) {
            node.simulation.world().trace("%d.%d does not append %s: %s", node.group, node.number, entry, failure);
            unlock();
            answer.accept(false);
          }
        });
  }

  /** Appends an entry to a value of the database and to one in the log, outside of any transaction: the row of the request decides. */
  void appendBoth(String key, String logged, String entry, RequestKey id, Consumer<Boolean> answer) {
    node.submit(
        SimulatedContainer.update(id),
        new SimulatedNode.Submission() {
          private GroupDatabase.Branch branch;
          private long running;

          @Override
          void execute(long token) {
            if (locks.containsKey(logged) || locks.containsKey(SimulatedBranches.SERVICE) || branches.isInherited()) {
              node.step(new Input.Abandoned(token));
              answer.accept(false);
              return;
            }
            Map<String, Long> read =
                Map.of(logged, node.version(logged), SimulatedBranches.SERVICE, node.version(SimulatedBranches.SERVICE));
            List<StateChange> changes =
                List.of(new StateChange(logged, appended(node.image.get(logged), entry)), new StateChange(SimulatedBranches.SERVICE, null));
            locks.put(logged, RUNNING + token);
            locks.put(SimulatedBranches.SERVICE, RUNNING + token);
            running = token;
            branch = branches.begin();
            branches.execute(branch, key, entry, executed -> {
              if (executed) {
                node.step(new Input.Executed(token, read, Response.EMPTY, changes, true));
              } else {
                rollback();
                node.step(new Input.Abandoned(token));
                answer.accept(false);
              }
            });
          }

          private void unlock() {
            locks.remove(logged, RUNNING + running);
            locks.remove(SimulatedBranches.SERVICE, RUNNING + running);
          }

          @Override
          GroupDatabase.Branch branch() {
            return branch;
          }

          @Override
          void commit() {
            unlock();
          }

          @Override
          void rollback() {
            unlock();
            branches.rollBack(branch);
          }

          @Override
          void reply() {
            answer.accept(true);
          }

          @Override
          void fail(Failure failure) {
            answer.accept(false);
          }
        });
  }

  /** Reads a value, outside of any transaction; null for no answer. */
  void read(String key, Consumer<List<String>> answer) {
    node.submit(
        SimulatedContainer.read(),
        new SimulatedNode.Submission() {
          private List<String> value;

          @Override
          void execute(long token) {
            boolean inDatabase = SimulatedBranches.isInDatabase(key);
            if (locks.containsKey(inDatabase ? SimulatedBranches.SERVICE : key) || (inDatabase && branches.isInherited())) {
              node.step(new Input.Abandoned(token));
              answer.accept(null);
              return;
            }
            if (inDatabase) {
              readDatabase(token);
              return;
            }
            value = entries(node.image.get(key));
            node.step(new Input.Executed(token, Map.of(key, node.version(key)), Response.EMPTY, List.of()));
          }

          private void readDatabase(long token) {
            Map<String, Long> read = Map.of(SimulatedBranches.SERVICE, node.version(SimulatedBranches.SERVICE));
            branches.read(key, found -> {
              value = found;
              node.step(found == null ? new Input.Abandoned(token) : new Input.Executed(token, read, Response.EMPTY, List.of()));
              if (found == null) {
                answer.accept(null);
              }
            });
          }

          @Override
          void reply() {
            answer.accept(value);
          }

          @Override
          void fail(Failure failure) {
            answer.accept(null);
          }
        });
  }
}
