package org.understudy.replication.simulation;

import org.understudy.replication.core.Request;

/**
 * A request on its way to one replica, with what the service needs to know of it.
 *
 * @param answer takes a Reply or a Failure
 */
record Call(Request request, String resource, long amount, java.util.function.Consumer<Object> answer) {}
