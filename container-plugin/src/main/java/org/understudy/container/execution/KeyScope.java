package org.understudy.container.execution;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.limit.KeyKinds;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.WholeState;

/**
 * Separates the keys of the services that share a replica: the replica prefixes each key of a service with the service's
 * scope. The scope is part of every key of its service in the group's state, so it is the same at every replica and
 * in every version of the web application. A scoped key contains a slash, so no client can name it as the id of a resource of
 * another service. Immutable.
 */
public final class KeyScope {
  /** The empty scope, for the one service whose keys have no prefix. */
  public static final KeyScope NONE = new KeyScope();

  private static final int MAX_CHARS = 200;

  private final String prefix;

  private KeyScope() {
    this.prefix = "";
  }

  /**
   * Makes the scope of a name.
   *
   * @param name of 1 to 200 characters; a slash in it is replaced, so two names may result in the same scope: compare scopes, not names
   * @throws IllegalArgumentException when the name is empty or too long
   */
  public KeyScope(String name) {
    if (name.isEmpty() || name.length() > MAX_CHARS) {
      throw new IllegalArgumentException("The name '" + name + "' is empty, or longer than " + MAX_CHARS + " characters.");
    }
    this.prefix = KeyKinds.SCOPE + name.replace('/', '.') + '/';
  }

  /** Returns a view of the replica's state with the keys of the service, without the prefix. */
  public AppliedState state(AppliedState replica) {
    return prefix.isEmpty() ? replica : new ScopedState(replica);
  }

  /** Returns the receiver of the service's outcomes, which adds the prefix to their keys. */
  public Executions executions(Executions replica) {
    return prefix.isEmpty() ? replica : new ScopedExecutions(replica);
  }

  /** Returns the keys with the prefix. */
  public Map<String, Long> versions(Map<String, Long> versions) {
    if (prefix.isEmpty()) {
      return versions;
    }
    Map<String, Long> prefixed = new LinkedHashMap<>();
    versions.forEach((key, version) -> prefixed.put(prefix + key, version));
    return prefixed;
  }

  /** Returns the changes under keys with the prefix. */
  public List<StateChange> changes(List<StateChange> changes) {
    if (prefix.isEmpty()) {
      return changes;
    }
    List<StateChange> prefixed = new ArrayList<>(changes.size());
    for (StateChange change : changes) {
      prefixed.add(new StateChange(prefix + change.resource(), change.state()));
    }
    return prefixed;
  }

  /** Returns a listener that passes only the changes of this scope on, without the prefix. */
  public StateListener listener(StateListener service) {
    return prefix.isEmpty() ? service : new ScopedListener(service);
  }

  /** The name of the scope, without the characters that delimit it. */
  public String name() {
    return prefix.isEmpty() ? "" : prefix.substring(1, prefix.length() - 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyScope scope && scope.prefix.equals(prefix);
  }

  @Override
  public int hashCode() {
    return prefix.hashCode();
  }

  @Override
  public String toString() {
    return prefix;
  }

  /** The replica's state, restricted to this scope. */
  private final class ScopedState implements AppliedState {
    private final AppliedState replica;

    ScopedState(AppliedState replica) {
      this.replica = replica;
    }

    @Override
    public byte[] state(String resource) {
      return replica.state(prefix + resource);
    }

    @Override
    public long stateVersion(String resource) {
      return replica.stateVersion(prefix + resource);
    }

    @Override
    public long version(String resource) {
      return replica.version(prefix + resource);
    }
  }

  /** Adds the prefix to the keys of executions. */
  private final class ScopedExecutions implements Executions {
    private final Executions replica;

    ScopedExecutions(Executions replica) {
      this.replica = replica;
    }

    @Override
    public void executed(
        long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes, Proposal proposal) {
      replica.executed(token, KeyScope.this.versions(versions), outcome, KeyScope.this.changes(changes), proposal);
    }

    @Override
    public void prepared(
        long token, Map<String, Long> versions, List<StateChange> changes, ParticipantRecord participant, Proposal proposal) {
      replica.prepared(token, KeyScope.this.versions(versions), KeyScope.this.changes(changes), participant, proposal);
    }

    @Override
    public void abandoned(long token) {
      replica.abandoned(token);
    }

    @Override
    public void aborted(long token, Proposal proposal) {
      replica.aborted(token, proposal);
    }

    @Override
    public int wire() {
      return replica.wire();
    }
  }

  /** Calls a listener with the changes of this scope, with the prefix removed. */
  private final class ScopedListener implements StateListener {
    private final StateListener service;

    ScopedListener(StateListener service) {
      this.service = service;
    }

    private String withoutPrefix(String key) {
      return key.substring(prefix.length());
    }

    @Override
    public boolean follows(String key) {
      return key.startsWith(prefix) && service.follows(withoutPrefix(key));
    }

    @Override
    public void onChange(String key, byte[] state) {
      if (key.startsWith(prefix)) {
        service.onChange(withoutPrefix(key), state);
      }
    }

    @Override
    public void onReset() {
      service.onReset();
    }

    @Override
    public void applied(List<StateChange> changes) {
      List<StateChange> own = new ArrayList<>(0);
      for (StateChange change : changes) {
        if (change.resource().startsWith(prefix)) {
          own.add(new StateChange(withoutPrefix(change.resource()), change.state()));
        }
      }
      service.applied(own);
    }

    @Override
    public void stable(long index) {
      service.stable(index);
    }

    @Override
    public void replaced(WholeState state) {
      service.replaced(
          consumer -> state.forEach(
              (key, value) -> {
                if (key.startsWith(prefix)) {
                  consumer.accept(withoutPrefix(key), value);
                }
              }));
    }
  }
}
