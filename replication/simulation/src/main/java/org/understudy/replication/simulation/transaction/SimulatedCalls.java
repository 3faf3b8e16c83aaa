package org.understudy.replication.simulation.transaction;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Response;

/** The calls of clients within transactions, at one replica. Each is a linearizable read. */
final class SimulatedCalls {
  private final SimulatedNode node;
  private final SimulatedContainer container;
  private final Map<String, OpenPart> open;
  /** By key: the transaction that has locked it. */
  private final Map<String, String> locks;

  /**
   * @param open the transactions, by id
   * @param locks by key
   */
  SimulatedCalls(SimulatedNode node, SimulatedContainer container, Map<String, OpenPart> open, Map<String, String> locks) {
    this.node = node;
    this.container = container;
    this.open = open;
    this.locks = locks;
  }

  /** A call within a transaction: appends its id to a value, or only reads it. */
  void call(String transaction, String key, boolean reads, Consumer<Boolean> answer) {
    OpenPart part = open.get(transaction);
    if (part == null && container.coordinator() != null && !container.coordinator().isOpen(transaction)) {
      answer.accept(false);
    } else if (part == null) {
      OpenPart begun = new OpenPart(transaction, Long.toHexString(node.simulation.world().number()), node.simulation.world().now());
      open.put(transaction, begun);
      if (container.coordinator() != null) {
        begun.registered = true;
        run(begun, key, reads, answer);
      } else {
        node.simulation.network().register(node, begun, accepted -> {
          if (accepted && open.get(transaction) == begun) {
            begun.registered = true;
            run(begun, key, reads, answer);
          } else {
            container.discard(begun);
            answer.accept(false);
          }
        });
      }
    } else if (!part.registered || part.ending || part.calling) {
      answer.accept(false);
    } else {
      run(part, key, reads, answer);
    }
  }

  private void run(OpenPart part, String key, boolean reads, Consumer<Boolean> answer) {
    node.submit(
        SimulatedContainer.read(),
        new SimulatedNode.Submission() {
          @Override
          void execute(long token) {
            boolean inDatabase = SimulatedBranches.isInDatabase(key);
            String lock = inDatabase ? SimulatedBranches.SERVICE : key;
            String owner = locks.get(lock);
            boolean inherited = inDatabase && container.branches().isInherited();
            if (open.get(part.transaction) != part || part.ending || inherited || (owner != null && !owner.equals(part.transaction))) {
              node.step(new Input.Abandoned(token));
              answer.accept(false);
              return;
            }
            locks.put(lock, part.transaction);
            part.versions.putIfAbsent(lock, node.version(lock));
            Input.Executed done = new Input.Executed(token, Map.of(lock, part.versions.get(lock)), Response.EMPTY, List.of());
            if (inDatabase) {
              executeStatement(part, key, reads, done, answer);
              return;
            }
            if (!reads) {
              byte[] before = part.changes.getOrDefault(key, node.image.get(key));
              boolean repeated = SimulatedValues.entries(before).contains(part.transaction);
              part.changes.put(key, repeated ? before : SimulatedValues.appended(before, part.transaction));
            }
            node.step(done);
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

  private void executeStatement(OpenPart part, String key, boolean reads, Input.Executed done, Consumer<Boolean> answer) {
    part.branch = part.branch == null ? container.branches().begin() : part.branch;
    part.calling = true;
    container.branches().execute(part.branch, key, reads ? null : part.transaction, executed -> {
      part.calling = false;
      if (executed && open.get(part.transaction) == part) {
        node.step(done);
      } else {
        container.discard(part);
        if (container.coordinator() != null) {
          container.coordinator().abort(part.transaction);
        }
        node.step(new Input.Abandoned(done.token()));
        answer.accept(false);
      }
    });
  }
}
