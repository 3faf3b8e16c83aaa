package org.understudy.replication.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Limits;
import org.understudy.replication.core.Timing;

/**
 * What a runtime is told by configuration.
 *
 * @param directory where the membership record lies; made when absent; one replica only
 * @param requestDeadline how long a call may wait for stability before it fails as StillPending
 */
public record RuntimeSettings(
    ReplicaId self,
    List<ReplicaId> configured,
    Path directory,
    Timing timing,
    Limits limits,
    Duration requestDeadline) {}
