/** The coordinator: ids that nobody can guess, and limits for its clients. */
package org.understudy.wsat.coordinator;
