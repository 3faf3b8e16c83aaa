package org.understudy.counter.certification;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.session.Agreement;
import org.understudy.replication.core.session.ExactlyOnce;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.session.PendingRead;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/** Executes anywhere; refuses in the order what has read a stale version, and one run in ten for no reason. */
final class CertifyingCore implements ReplicaCore, Agreement {
  static final AtomicInteger STALE = new AtomicInteger();
  static final AtomicInteger FORCED = new AtomicInteger();

  private final ReplicaSetup setup;
  private final ExactlyOnce exactlyOnce;
  private final Map<Long, Request> unordered = new HashMap<>();
  private final Map<Long, Execution> proposed = new HashMap<>();
  private final Map<String, Long> changed = new HashMap<>();
  private View view = View.NONE;
  private Role role = Role.JOINING;
  private long proposals;
  private long runs;
  private long end;

  CertifyingCore(ReplicaSetup setup) {
    this.setup = setup;
    this.exactlyOnce = new ExactlyOnce(setup, this);
  }

  @Override
  public void step(long now, long wall, Input input, Effects out) {
    if (input instanceof Input.ViewInstalled installed) {
      role = installed.view().members().size() == setup.configured().size() ? Role.PRIMARY : Role.JOINING;
      view = role == Role.PRIMARY ? new View(installed.view().number(), installed.view().members()) : View.NONE;
      out.changed(role, view);
      exactlyOnce.begin(now);
    } else if (input instanceof Input.Requested requested) {
      requested(now, requested, out);
    } else if (input instanceof Input.Executed executed) {
      exactlyOnce.executed(now, executed, out);
    } else if (input instanceof Input.Abandoned abandoned) {
      unordered.remove(abandoned.token());
      exactlyOnce.abandoned(abandoned.token(), out);
    } else if (input instanceof Input.Delivered delivered && delivered.message() instanceof Ordered ordered) {
      delivered(now, delivered.from().equals(setup.self()), ordered, out);
    } else if (input instanceof Input.Tick && setup.self().equals(view.primary())) {
      exactlyOnce.expire(now, out);
    }
  }

  private void requested(long now, Input.Requested input, Effects out) {
    Request request = input.request();
    boolean anyVersion = request.kind() == Request.Kind.READ && request.level() != ReadLevel.LINEARIZABLE
        && request.seen().position() <= end;
    if (role == Role.JOINING) {
      out.fail(input.token(), new Failure(FailureCode.NotReady, "Not all replicas are in the group yet; retry later."));
    } else if (!anyVersion || !exactlyOnce.readHere(now, input.token(), request, out)) {
      unordered.put(input.token(), request);
      out.multicast(new Ordered(view.epoch(), input.token(), Map.of(), null));
    }
  }

  private void delivered(long now, boolean mine, Ordered ordered, Effects out) {
    if (ordered.update() != null) {
      certify(now, mine ? proposed.remove(ordered.number()) : null, ordered, out);
    } else if (mine && unordered.containsKey(ordered.number())) {
      exactlyOnce.admit(now, ordered.number(), unordered.remove(ordered.number()), out);
    }
  }

  private void certify(long now, Execution mine, Ordered proposal, Effects out) {
    boolean stale = isStale(proposal.versionsRead());
    boolean forced = !proposal.versionsRead().isEmpty() && ++runs % 10 == 0;
    if (mine != null && (stale || forced)) {
      (stale ? STALE : FORCED).incrementAndGet();
      exactlyOnce.suspend(mine, out);
      exactlyOnce.resume(mine, out);
    } else if (!stale && !forced) {
      StateUpdate update = exactlyOnce.placed(proposal.update(), view.epoch(), ++end);
      if (exactlyOnce.deliver(now, update, mine, out)) {
        update.changes().forEach(change -> changed(change.resource()));
        out.stable(end);
        exactlyOnce.answers().advance(now, out);
      } else {
        end--;
      }
    }
  }

  private boolean isStale(Map<String, Long> read) {
    return read.entrySet().stream().anyMatch(one -> changed.getOrDefault(one.getKey(), 0L) > one.getValue());
  }

  /** With every prefix that a run may have scanned. */
  private void changed(String key) {
    changed.put(key, end);
    for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      changed.put(key.substring(0, slash + 1), end);
    }
  }

  @Override
  public void append(long now, Execution execution, Effects out) {
    proposed.put(++proposals, execution);
    out.multicast(new Ordered(view.epoch(), proposals, execution.versions(), exactlyOnce.update(now, execution, 0)));
  }

  @Override
  public long epoch() {
    return view.epoch();
  }

  @Override
  public VersionHandle handle(long index) {
    return VersionHandle.ofGroup(view.epoch(), index);
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public long stable() {
    return end;
  }

  @Override
  public Failure backlog() {
    return null;
  }

  @Override
  public boolean isCurrent(Execution execution) {
    return execution.epoch() == view.epoch();
  }

  @Override
  public boolean sawOneState(Execution execution, Map<String, Long> read) {
    return !isStale(read);
  }

  @Override
  public long confirmation(long now, ReadLevel level, Effects out) {
    return 0;
  }

  @Override
  public boolean confirmed(long now, PendingRead read) {
    return true;
  }

  @Override
  public ReplicaStatus status(long now) {
    return new ReplicaStatus(
        role, view, end, end, role == Role.PRIMARY, exactlyOnce.sessions().size(), WireVersions.CURRENT.newest(),
        exactlyOnce.replayed());
  }

  @Override
  public long digest() {
    return exactlyOnce.state().digest();
  }
}
