/**
 * A notification broker (WS-BrokeredNotification 1.3), built like a service: its subscriptions, registrations and messages
 * are replicated state, as are its subscriptions at publishers.
 */
package org.understudy.broker;
