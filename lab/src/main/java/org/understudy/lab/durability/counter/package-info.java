/** The counter service that {@code scripts/durability-bench} gives to Tomcat with each durability mapping. Runs in the replicas. */
package org.understudy.lab.durability.counter;
