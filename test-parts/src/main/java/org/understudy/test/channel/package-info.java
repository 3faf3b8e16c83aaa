/** Channels among replicas of one process. */
package org.understudy.test.channel;
