/**
 * A notification broker (WS-BrokeredNotification 1.3) on the same engine as a service: its subscriptions, registrations and
 * messages are replicated state, and so is what it has subscribed to at publishers.
 */
package org.understudy.broker;
