/**
 * Notifications about resources, as part of the replicated state: subscriptions, pull points and the messages that are not yet
 * delivered survive the replica that delivers, and the next one goes on with them.
 */
package org.understudy.wsrf.notification;
