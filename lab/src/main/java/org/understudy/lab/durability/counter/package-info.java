/**
 * The counter service that {@code scripts/durability-bench} and {@code scripts/torture} give to Tomcat with each durability mapping. Runs
 * in the replicas.
 */
package org.understudy.lab.durability.counter;
