package org.understudy.container.transaction;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.transaction.DecisionRecord;
import org.understudy.replication.core.transaction.RemoteParticipant;
import org.understudy.replication.core.update.StateChange;

/**
 * The transactions over several groups that have committed, and that other groups have not acknowledged, as part of the state of the
 * coordinator's group. Thread-safe.
 */
final class DecisionRecords extends TransactionState {
  private static final String PREFIX = "decision/";

  private final Map<String, String> records = new ConcurrentHashMap<>();
  private final Ages ages = new Ages();

  DecisionRecords() {
    super(PREFIX);
  }

  /** The kind of the keys, which cost no client a share: the coordinator limits their number. */
  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  static StateChange added(DecisionRecord record) {
    StringBuilder text = new StringBuilder();
    record.participants().forEach(one -> text.append(one.group()).append(' ').append(one.part()).append('\n'));
    return new StateChange(PREFIX + record.transaction(), text.toString().getBytes(StandardCharsets.UTF_8));
  }

  static StateChange removed(String transaction) {
    return new StateChange(PREFIX + transaction, null);
  }

  /** Since when this replica knows each of them. */
  Ages ages() {
    return ages;
  }

  boolean contains(String transaction) {
    return records.containsKey(transaction);
  }

  /** @param addresses of a group, not empty */
  List<DecisionRecord> all(Function<String, List<String>> addresses) {
    List<DecisionRecord> all = new ArrayList<>();
    records.forEach((id, text) -> {
      List<RemoteParticipant> participants = new ArrayList<>();
      text.lines().map(line -> line.split(" ")).forEach(
          words -> participants.add(new RemoteParticipant(words[0], words[1], addresses.apply(words[0]))));
      all.add(new DecisionRecord(id, participants));
    });
    return all;
  }

  @Override
  void changed(String id, byte[] state) {
    if (state == null) {
      records.remove(id);
      ages.remove(id);
    } else {
      records.put(id, new String(state, StandardCharsets.UTF_8));
      ages.add(id);
    }
  }

  @Override
  public void onReset() {
    records.clear();
    ages.retain(Set.of());
  }
}
