package org.understudy.replication.api.decision;

/**
 * A branch of which the database has a record, because its preparation has begun.
 *
 * @param participant what it was begun for
 * @param committed whether it is committed
 */
public record KnownBranch(BranchId id, ParticipantRecord participant, boolean committed) {}
