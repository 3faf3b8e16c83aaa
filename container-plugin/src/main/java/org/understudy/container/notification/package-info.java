/**
 * Notifications as part of the replicated state: a service's subscriptions, its pull points and the messages that are not
 * yet delivered survive the replica that delivers, and the next one goes on with them.
 */
package org.understudy.container.notification;
