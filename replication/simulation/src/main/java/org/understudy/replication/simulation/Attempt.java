package org.understudy.replication.simulation;

import java.util.function.Consumer;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.simulation.checker.Operation;

/**
 * A client's request in flight to one replica, with what the service needs of it.
 *
 * @param operation what the service is to do; null for session requests
 * @param answer takes a Reply or a Failure
 */
record Attempt(Request request, Operation operation, Consumer<Object> answer) {}
