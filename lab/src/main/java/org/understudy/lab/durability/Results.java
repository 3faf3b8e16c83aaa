package org.understudy.lab.durability;

/**
 * What a run has measured.
 *
 * @param counting null when it was not measured
 * @param roundTrips null when they were not measured
 * @param rounds null when they were not measured
 * @param recovery null when it was not measured
 */
record Results(Counting counting, RoundTrips roundTrips, Rounds rounds, Recovery recovery) {}
