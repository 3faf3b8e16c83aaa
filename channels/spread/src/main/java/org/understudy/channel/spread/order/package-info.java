/** The group's messages in frames with authentication, and its views, as pure functions of what a session receives. */
package org.understudy.channel.spread.order;
