/**
 * One request's way: {@link org.understudy.container.request.ReplicationFilter} takes it in,
 * {@link org.understudy.container.request.RequestMapper} asks the replica, the service runs, and
 * {@link org.understudy.container.request.Exchange} answers when the replica says so.
 */
package org.understudy.container.request;
