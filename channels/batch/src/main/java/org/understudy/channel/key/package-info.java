/** The key that the replicas of a group derive from its secret for their group channel. */
package org.understudy.channel.key;
