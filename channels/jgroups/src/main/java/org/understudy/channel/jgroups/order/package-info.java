/** One order of messages and views for the members of a group, over reliable messages and views without virtual synchrony; no I/O. */
package org.understudy.channel.jgroups.order;
