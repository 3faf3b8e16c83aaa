package org.understudy.counter.certification;

import java.util.Map;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.update.StateUpdate;

/** An execution for all replicas to certify; without update, the place from which its sender may serve a request. */
record Ordered(long epoch, long number, Map<String, Long> versionsRead, StateUpdate update) implements Message {}
