/**
 * Notifications about resources, as part of the replicated state. Subscriptions, pull points and undelivered messages survive
 * the delivering replica, and its successor continues with them.
 */
package org.understudy.wsrf.notification;
