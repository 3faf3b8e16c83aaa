/** Requests and answers: what identifies a request, the cookie with the version handle, and answers that are stored. */
package org.understudy.session.http;
