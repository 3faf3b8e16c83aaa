/** What happens to the group, as WS-Notification topics that anybody may subscribe to. */
package org.understudy.container.event;
