package org.understudy.test.strategy;

import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.wire.WireVersions;

/** Primary-backup whose replica {@link #OLDER} is of a build that reads wire version 1 only. */
public final class OlderBuildStrategy extends WrappedStrategy {
  /** How the strategy is named in {@code understudy.strategy}. */
  public static final String NAME = "primary-backup-with-an-older-build";

  public static final int OLDER = 3;

  public OlderBuildStrategy() {
    super(new PrimaryBackup(), core -> core);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return super.open(
        setup.self().number() == OLDER
            ? new ReplicaSetup(
                setup.self(), setup.configured(), setup.recovered(), setup.incarnation(), setup.timing(), setup.limits(), setup.reads(),
                new WireVersions(1, 1), setup.rules())
            : setup);
  }
}
