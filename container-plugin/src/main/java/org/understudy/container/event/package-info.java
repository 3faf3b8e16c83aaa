/** Publishes failovers and heartbeats of the group as WS-Notification topics that any client may subscribe to. */
package org.understudy.container.event;
