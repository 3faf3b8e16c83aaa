package org.understudy.durability.mapping;

/**
 * A part of the recovery of an object from a database: a query, and the call that adds one of its rows.
 *
 * @param place its element
 * @param statement without arguments
 * @param columns of the query; -1: not known
 * @param call of a method of the state object, with columns of the row
 */
public record Query(Place place, SqlStatement statement, int columns, Call call) {}
