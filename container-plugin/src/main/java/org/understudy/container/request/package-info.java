/**
 * The path of one request: {@link org.understudy.container.request.ReplicationFilter} receives it,
 * {@link org.understudy.container.request.RequestMapper} submits it to the replica, the service executes it, and
 * {@link org.understudy.container.request.Exchange} sends the response when the replica releases it.
 */
package org.understudy.container.request;
