package org.understudy.container.operation;

import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.soap.ActionType;
import org.understudy.replication.soap.ReplicationHeader;
import org.understudy.wsrf.operation.StandardOperation;

/**
 * One operation, or the alternatives for one content of the Body.
 *
 * @param read null for an update; else the level that the service declares
 * @param answer WS-Addressing's action of the response; null when the operation has none
 * @param faults the actions of declared faults by the element in their detail; none for a standard operation
 * @param standard executes the operation instead of the service; null for an operation of the service's own
 * @param name in the service's contract; null for a standard operation, and where the service's stack knows one operation only
 * @param actions that select this operation among those with the same content of the Body; empty where the content does
 * @param alternatives the operations with this content, selected by action; empty for a single operation
 * @param priority the local name of the element of a request that holds its priority; null if its requests have none
 * @param claimable the level of reads for a client that declares the operation a read; null if a client cannot
 */
public record Operation(
    ReadLevel read,
    String answer,
    Map<QName, String> faults,
    StandardOperation standard,
    QName name,
    Set<String> actions,
    List<Operation> alternatives,
    String priority,
    ReadLevel claimable) {
  /** Creates an operation that its element selects, or a standard operation. */
  public Operation(ReadLevel read, String answer, Map<QName, String> faults, StandardOperation standard) {
    this(read, answer, faults, standard, null, Set.of(), List.of(), null, null);
  }

  /** Combines several operations with the same content of the Body. */
  public static Operation oneOf(List<Operation> alternatives) {
    return new Operation(null, "", Map.of(), null, null, Set.of(), List.copyOf(alternatives), null, null);
  }

  /** Returns this operation, selected by one of these actions. */
  public Operation selectedBy(Set<String> actions) {
    return new Operation(read, answer, faults, standard, name, Set.copyOf(actions), alternatives, priority, claimable);
  }

  /** Returns this operation as a client with this header calls it: as a read if the client declares it so, and can. */
  Operation calledWith(ReplicationHeader header) {
    boolean claimed = claimable != null && header != null && header.action() == ActionType.READ;
    return claimed ? new Operation(claimable, answer, faults, standard, name, actions, alternatives, priority, null) : this;
  }

  public boolean oneWay() {
    return answer == null;
  }

  /** Returns the value to combine with the digest of a Body that does not determine the operation; else 0. */
  public long salt() {
    return actions.isEmpty() ? 0 : name.toString().hashCode() * 0x9E37_79B9_7F4A_7C15L;
  }
}
