/** The replicas of a run: processes with a Tomcat and the counter, each in its own network namespace. */
package org.understudy.lab.torture.replica;
