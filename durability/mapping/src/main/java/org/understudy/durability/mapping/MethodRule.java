package org.understudy.durability.mapping;

import java.util.List;
import java.util.Optional;

/**
 * What a method of the state object's interface does to the state.
 *
 * @param place its element
 * @param method its name
 * @param parameters simple or full names of the parameter types; empty: the method has no overloads
 * @param update what is done after the method; empty: the method only reads
 */
public record MethodRule(Place place, String method, Optional<List<String>> parameters, Optional<StateUpdate> update) {}
