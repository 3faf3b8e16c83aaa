/** Replicas in this process, each in a Tomcat of its own. */
package org.understudy.test.cluster;
