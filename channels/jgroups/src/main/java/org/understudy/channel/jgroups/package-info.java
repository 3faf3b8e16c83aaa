/** A group channel over JGroups. */
package org.understudy.channel.jgroups;
