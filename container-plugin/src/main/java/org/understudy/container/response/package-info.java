/** Writes the responses to clients: results, faults, refusals with their disposition, and views. */
package org.understudy.container.response;
